"""What flows in each loop: the types on the arrows between parts."""
