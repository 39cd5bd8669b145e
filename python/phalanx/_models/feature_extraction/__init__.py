"""Texts and mappings as features."""
