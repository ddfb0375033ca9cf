// Filters the report. Without this script everything is there, and nothing is hidden.
"use strict";
(() => {
  const form = document.getElementById("filter");
  const chips = [...form.querySelectorAll("input[type=checkbox]")];
  const section = document.getElementById("section");
  const text = document.getElementById("text");
  const shown = document.getElementById("shown");
  const items = [...document.querySelectorAll("[data-item]")];
  const groups = [...document.querySelectorAll("[data-group]")];
  const parts = [...document.querySelectorAll("[data-part]")];
  const countable = items.filter((item) => item.hasAttribute("data-count"));
  const words = new Map(); // what an item says, read when it is first asked for
  let before = null; // which groups were open before anything was filtered

  const says = (item) => {
    if (!words.has(item)) words.set(item, item.textContent.toLowerCase());
    return words.get(item);
  };
  const apply = () => {
    const verdicts = new Set(chips.filter((chip) => chip.checked).map((chip) => chip.value));
    const terms = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = verdicts.size === 0 && section.value === "" && terms.length === 0;
    for (const item of items) {
      const fits = all || ((verdicts.size === 0 || verdicts.has(item.dataset.verdict)) &&
        (section.value === "" || item.dataset.section === section.value) &&
        terms.every((term) => says(item).includes(term)));
      item.toggleAttribute("data-away", !fits);
    }
    if (!all && before === null) before = groups.map((group) => group.open);
    groups.forEach((group, i) => {
      const some = all || group.querySelector("[data-item]:not([data-away])") !== null;
      group.toggleAttribute("data-away", !some);
      if (!all) group.open = some;
      else if (before !== null) group.open = before[i];
    });
    if (all) before = null;
    for (const part of parts) {
      part.toggleAttribute("data-away", !all && part.querySelector("[data-item]:not([data-away])") === null);
    }
    const left = countable.filter((item) => !item.hasAttribute("data-away")).length;
    shown.textContent = all ? "" : left + " of " + countable.length + " requirements shown";
  };
  let timer = 0;
  text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
  form.addEventListener("change", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); text.focus(); }
    if (event.key === "Escape" && event.target === text) { text.value = ""; apply(); }
  });
  // What a link or a filter leads to is never behind the filter.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target !== null && target.closest("[data-away]") !== null) { form.reset(); setTimeout(() => target.scrollIntoView()); }
  });
  form.hidden = false;
})();
