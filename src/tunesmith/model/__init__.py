"""Model directories: what a translator is on disk."""

from tunesmith.model.description import MODEL_FILE, write_description
from tunesmith.model.folder import TranslationModel, new_model

__all__ = ["MODEL_FILE", "TranslationModel", "new_model", "write_description"]
