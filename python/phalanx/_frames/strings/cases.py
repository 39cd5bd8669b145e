"""Upper and lower case, and what kinds of characters texts have."""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

from . import engine
from .results import Texts, of_texts_only


class Cases(Texts):
    """Methods of a character's case and kind, by Python's rules for Unicode."""

    @of_texts_only
    def lower(self) -> Any:
        """All characters in lower case."""
        return self._texts(str.lower, engine.in_case("lower"))

    @of_texts_only
    def upper(self) -> Any:
        """All characters in upper case; one may become several, as in Python."""
        return self._texts(lambda text: text.upper(), engine.in_case("upper"))

    @of_texts_only
    def title(self) -> Any:
        """The first character of each word in title case, the others in lower case."""
        return self._texts(str.title, engine.in_case("title"))

    @of_texts_only
    def capitalize(self) -> Any:
        """The first character in title case, the others in lower case."""
        return self._texts(str.capitalize, engine.in_case("capitalize"))

    @of_texts_only
    def swapcase(self) -> Any:
        """Upper case becomes lower case and the other way round."""
        return self._texts(str.swapcase, engine.in_case("swapcase"))

    @of_texts_only
    def casefold(self) -> Any:
        """As `lower`, for comparisons that do not look at case."""
        return self._texts(str.casefold, engine.in_case("casefold"))

    @of_texts_only
    def normalize(self, form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Any:
        """A normal form of Unicode: NFC, NFD, NFKC or NFKD. Raises ValueError for another."""
        if form not in ("NFC", "NFD", "NFKC", "NFKD"):
            raise ValueError("invalid normalization form: it is NFC, NFD, NFKC or NFKD")
        function = lambda text: unicodedata.normalize(form, text)  # noqa: E731
        return self._texts(function, engine.only_beyond_ascii(function))

    @of_texts_only
    def isalnum(self) -> Any:
        """Where all characters are letters or numbers, and there is one."""
        return self._flags(str.isalnum, whole=engine.is_all("isalnum"))

    @of_texts_only
    def isalpha(self) -> Any:
        """Where all characters are letters, and there is one."""
        return self._flags(str.isalpha, whole=engine.is_all("isalpha"))

    @of_texts_only
    def isascii(self) -> Any:
        """Where all characters are ASCII, also where there is none."""
        return self._flags(str.isascii, whole=engine.is_all("isascii"))

    @of_texts_only
    def isdecimal(self) -> Any:
        """Where all characters are decimal digits, and there is one."""
        return self._flags(str.isdecimal, whole=engine.is_all("isdecimal"))

    @of_texts_only
    def isdigit(self) -> Any:
        """Where all characters are digits, superscripts too, and there is one."""
        return self._flags(str.isdigit, whole=engine.is_all("isdigit"))

    @of_texts_only
    def islower(self) -> Any:
        """Where there is a cased character, and all that are cased are lower case."""
        return self._flags(str.islower, whole=engine.is_all("islower"))

    @of_texts_only
    def isnumeric(self) -> Any:
        """Where all characters are numbers, fractions too, and there is one."""
        return self._flags(str.isnumeric, whole=engine.is_all("isnumeric"))

    @of_texts_only
    def isspace(self) -> Any:
        """Where all characters are white space, and there is one."""
        return self._flags(str.isspace, whole=engine.is_all("isspace"))

    @of_texts_only
    def istitle(self) -> Any:
        """Where each word begins in upper case and goes on in lower case."""
        return self._flags(str.istitle, whole=engine.is_all("istitle"))

    @of_texts_only
    def isupper(self) -> Any:
        """Where there is a cased character, and all that are cased are upper case."""
        return self._flags(str.isupper, whole=engine.is_all("isupper"))
