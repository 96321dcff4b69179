"""HTTP: the only place that knows status codes. A verdict is always 200; everything else is a problem document."""
