"""Problems without answers, the sealed answer key, and where both come from."""
