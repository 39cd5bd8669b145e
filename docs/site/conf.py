"""Sphinx's configuration; the sources are staged by tools/docs_site, decision 0091 says why."""

import os
import sys
from pathlib import Path

import phalanx

sys.path.insert(0, str(Path(__file__).parent))

project = "Phalanx"
author = "The Phalanx authors"
project_copyright = author
release = version = phalanx.__version__

extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["**/.ipynb_checkpoints"]
nitpicky = True
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4
# Rows and columns of tables have no width of their own: pages scroll on a phone, static/site.css.
myst_links_external_new_tab = False

nb_execution_mode = "cache"
nb_execution_cache_path = os.environ.get("PHALANX_SITE_NOTEBOOKS", "")
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_execution_excludepatterns: list[str] = []
nb_merge_streams = True
nb_render_markdown_format = "myst"

html_theme = "furo"
html_title = f"Phalanx {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "search_scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_favicon = "static/mark.svg"
html_theme_options = {
    "light_logo": "mark.svg",
    "dark_logo": "mark.svg",
    "navigation_with_keys": True,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
# Blocks without a language are what programs print, or of several languages.
highlight_language = "text"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries = False
add_module_names = False
