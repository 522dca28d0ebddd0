"""Model directories: what a translator is on disk."""

from tunesmith.model.description import MODEL_FILE, write_description
from tunesmith.model.files import new_model
from tunesmith.model.folder import TranslationModel

__all__ = ["MODEL_FILE", "TranslationModel", "new_model", "write_description"]
