"use strict";
// isomorphic-git wants the Buffer of Node, which a page gets from a package of CommonJS modules.

function load(name) {
  const request = new XMLHttpRequest();
  request.open("GET", `/modules/${name}/index.js`, false);
  request.send();
  const module = { exports: {} };
  new Function("module", "exports", "require", request.responseText)(module, module.exports, load);
  return module.exports;
}

window.Buffer = load("buffer").Buffer;
