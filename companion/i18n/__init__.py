"""Translation (i18n): every sentence that people read, in every language there is a file for."""
