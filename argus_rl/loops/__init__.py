"""The control system: three loops at three time scales, and the assembly that picks their parts."""
