// @ts-check
/** Looks: light or dark as the system or the notebook says until a person chooses, and a hall's. */

import { iconButton } from "./elements.js";

/** @param {any} root @param {boolean} inNotebook @param {() => void} redraw */
export function newLooks(root, inNotebook, redraw) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @type {string | null} */ let chosen = null;
  const theme = iconButton("Dark or light", "theme", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
  const hall = iconButton("Presenter's mode", "screen", () => present(!root.classList.contains("presenting")), {
    "aria-pressed": "false",
  });
  const full = iconButton(
    "Full screen",
    "full",
    () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()),
    { "aria-pressed": "false", class: "nk-button nk-icon nk-full" },
  );

  /** The notebook's own theme, where it tells (JupyterLab, VS Code, marimo), else the system's. */
  function aroundIsDark() {
    const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
    if (!inNotebook) return dark.matches;
    if (jpThemeLight) return jpThemeLight === "false";
    if (vscodeThemeKind) return vscodeThemeKind.includes("dark");
    return root.closest(".dark") ? true : document.querySelector(".light") ? false : dark.matches;
  }
  /** @param {string} name */
  function setTheme(name, keeps = true) {
    root.dataset.theme = name;
    if (keeps) {
      chosen = name;
      try {
        localStorage.setItem("novikoff-theme", name);
      } catch {
        /* private windows keep nothing */
      }
    }
    redraw();
  }
  /** @param {boolean} isOn */
  function present(isOn) {
    root.classList.toggle("presenting", isOn);
    hall.setAttribute("aria-pressed", String(isOn));
    redraw();
  }
  try {
    chosen = localStorage.getItem("novikoff-theme");
  } catch {
    /* as above */
  }
  root.dataset.theme = chosen ?? (aroundIsDark() ? "dark" : "light");
  const follow = () => chosen ?? setTheme(aroundIsDark() ? "dark" : "light", false);
  const filled = () => full.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
  dark.addEventListener("change", follow);
  document.addEventListener("fullscreenchange", filled);

  return {
    buttons: [theme, hall, full],
    close() {
      dark.removeEventListener("change", follow);
      document.removeEventListener("fullscreenchange", filled);
    },
  };
}
