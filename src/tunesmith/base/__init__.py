"""What every room stands on: shared types, errors, progress, seeds, safe files, configuration."""
