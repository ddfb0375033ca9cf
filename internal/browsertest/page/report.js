"use strict";
// What the page tells the test: one verdict a check, and that it has ended. Whatever goes wrong outside a check is told
// as the end.

const report = (path, value) => fetch(path, { method: "POST", body: JSON.stringify(value) });
const end = (problem) => report("/end", { problem: String(problem ?? "") });

window.addEventListener("error", (e) => end(e.message || `cannot load ${e.target.src}`), true);
window.addEventListener("unhandledrejection", (e) => end(e.reason?.stack ?? e.reason));

// want throws unless what is got is true.
function want(ok, ...got) {
  if (!ok) throw new Error(`got ${got.map((x) => (typeof x === "string" ? x : JSON.stringify(x))).join(", ")}`);
}

// check runs one check. Later ones need what earlier ones made, so the first that fails is the last that runs.
async function check(name, run) {
  try {
    await run();
  } catch (e) {
    await report("/verdict", { name, problem: e.stack ?? String(e) });
    throw new Error(`nothing runs after ${name}`);
  }
  await report("/verdict", { name, problem: "" });
}
