"""The validators, one independent implementation each."""
