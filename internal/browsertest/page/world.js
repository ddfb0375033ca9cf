"use strict";
// The person at the page: a key, a relay connection and a git repository in the browser's own database.

const server = new URLSearchParams(location.search).get("server");
const service = server.replace(/^http/, "ws");
const secret = NostrTools.generateSecretKey();
const pubkey = NostrTools.getPublicKey(secret);
const npub = NostrTools.nip19.npubEncode(pubkey);
const identifier = "page";
const url = `${server}/${npub}/${identifier}.git`;
const fs = new LightningFS("clients", { wipe: true });
const http = GitHttp;
const author = { name: "page", email: "page@example.org" };
const zero = "0".repeat(40);

let relay;
let clock = Math.floor(Date.now() / 1000) - 3600; // each event a second later than the last

const sign = (kind, tags, content = "") => NostrTools.finalizeEvent({ kind, tags, content, created_at: clock++ }, secret);

// publish sends an event and returns the text of its OK.
const publish = (kind, tags, content) => relay.publish(sign(kind, tags, content));

const announce = () => publish(30617, [["d", identifier], ["clone", url], ["relays", service]]);

// declare publishes a state of these branches, HEAD at main.
const declare = (branches) => publish(30618, [
  ["d", identifier], ...Object.entries(branches).map(([name, oid]) => [`refs/heads/${name}`, oid]), ["HEAD", "ref: refs/heads/main"],
]);

// commit makes a commit of one file on a branch, which it makes if it is not there.
async function commit(dir, branch, file) {
  const there = await git.listBranches({ fs, dir });
  if (there.length > 0 && !there.includes(branch)) await git.branch({ fs, dir, ref: branch });
  if (there.length > 0) await git.checkout({ fs, dir, ref: branch });
  await fs.promises.writeFile(`${dir}/${file}`, `${file}\n`);
  await git.add({ fs, dir, filepath: file });
  return git.commit({ fs, dir, message: file, author });
}

const push = (dir, ref, more = {}) => git.push({ fs, http, dir, url, ref, remoteRef: `refs/heads/${ref}`, ...more });

// refused returns the reason of a push that the server refuses, as the page can read it.
async function refused(pushing) {
  try {
    await pushing;
  } catch (e) {
    want(e.code === "GitPushError", `${e.code}: ${e.message}`);
    return e.data.prettyDetails;
  }
  throw new Error("the push was taken");
}

// branches returns what the server serves, name to object id.
async function branches() {
  const refs = await git.listServerRefs({ http, url, prefix: "refs/heads/" });
  return Object.fromEntries(refs.map((r) => [r.ref.slice("refs/heads/".length), r.oid]));
}

// heard opens a live subscription and returns a function that waits for the event of an id.
function heard(filter) {
  const seen = new Map(), waiting = new Map();
  let reason = "";
  relay.subscribe([filter], {
    onevent: (e) => { seen.set(e.id, e); waiting.get(e.id)?.(e); },
    onclose: (r) => { reason = r; },
  });
  return (id) => {
    if (reason) throw new Error(`the subscription was closed: ${reason}`);
    return seen.get(id) ?? new Promise((resolve) => waiting.set(id, resolve));
  };
}

// stored asks for what there is of a filter.
const stored = (filter) => new Promise((resolve) => {
  const found = [];
  const sub = relay.subscribe([filter], { onevent: (e) => found.push(e), oneose: () => { sub.close(); resolve(found); } });
});
