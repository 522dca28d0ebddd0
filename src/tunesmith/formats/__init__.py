"""Files of this field, read and written without further logic."""
