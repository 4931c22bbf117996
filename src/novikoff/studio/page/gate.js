// A browser in which this studio has been opened before knows the token. It goes into a bare
// address by itself; into a link that brings somebody's state, only when the person says so.
const token = localStorage.getItem("novikoff-token");
const asked = new URLSearchParams(location.search).has("token");
const enter = () => location.replace(`/?token=${encodeURIComponent(token ?? "")}${location.hash}`);
if (token && !asked) {
  if (location.hash.length < 2) enter();
  const open = document.getElementById("open");
  open?.removeAttribute("hidden");
  open?.querySelector("button")?.addEventListener("click", enter);
}
