"""Model directories: what a translator is on disk."""

from tunesmith.model.folder import MODEL_FILE, TranslationModel, new_model, write_description

__all__ = ["MODEL_FILE", "TranslationModel", "new_model", "write_description"]
