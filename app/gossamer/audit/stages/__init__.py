"""The stages of the site audit: rules that are decided over the whole crawl, from columns."""
