// A link without a token opens in a browser that this studio has been opened in before.
const token = localStorage.getItem("novikoff-token");
const asked = new URLSearchParams(location.search).has("token");
if (token && !asked) location.replace(`/?token=${encodeURIComponent(token)}${location.hash}`);
