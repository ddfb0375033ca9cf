"use strict";
// What a person does from a page, one after the other.

const held = "purgatory: won't be served until git data arrives";

async function checks() {
  let listen, first, state, issue;
  const work = "/work";

  await check("the document is readable", async () => {
    const document = await NostrTools.nip11.fetchRelayInformation(service);
    want(document.supported_nips.includes(77) && document.supported_grasps.includes("GRASP-01"), document);
  });

  await check("an announcement and a state wait for the push", async () => {
    relay = await NostrTools.Relay.connect(service);
    listen = heard({ authors: [pubkey] });
    want((await announce()) === held, "another answer to the announcement");
    await git.init({ fs, dir: work, defaultBranch: "main" });
    await commit(work, "main", "one");
    first = await commit(work, "main", "two");
    state = sign(30618, [["d", identifier], ["refs/heads/main", first], ["HEAD", "ref: refs/heads/main"]]);
    want((await relay.publish(state)) === held, "another answer to the state");
    want((await stored({ authors: [pubkey] })).length === 0, "an event before its data");
  });

  await check("a push is taken, and releases what waited to a live subscription", async () => {
    const result = await push(work, "main");
    want(result.ok && result.refs["refs/heads/main"].ok, result);
    await listen(state.id);
  });

  await check("a clone has the history", async () => {
    await git.clone({ fs, http, dir: "/clone", url });
    const log = await git.log({ fs, dir: "/clone" });
    want(log.length === 2 && log[0].oid === first, log.map((c) => c.oid));
    want((await git.currentBranch({ fs, dir: "/clone" })) === "main", "another branch");
    want((await fs.promises.readFile("/clone/two", "utf8")) === "two\n", "another file");
  });

  await check("a shallow clone has one commit", async () => {
    await git.clone({ fs, http, dir: "/shallow", url, depth: 1, singleBranch: true });
    const log = await git.log({ fs, dir: "/shallow" });
    want(log.length === 1 && log[0].oid === first, log.map((c) => c.oid));
  });

  await check("a push that no state declares is refused with its reason", async () => {
    await git.branch({ fs, dir: work, ref: "side", checkout: true });
    await commit(work, "side", "three");
    const reason = await refused(push(work, "side"));
    want(reason.includes("refs/heads/side would exist") && !reason.includes("one push"), reason);
    want(!("side" in (await branches())), await branches());
  });

  await check("a push to what is neither a branch nor a tag is refused with its reason", async () => {
    const reason = await refused(push(work, "side", { remoteRef: "refs/notes/side" }));
    want(reason.includes("is neither a branch nor a tag"), reason);
  });

  const side = await git.resolveRef({ fs, dir: work, ref: "side" });

  await check("a new branch is pushed", async () => {
    want((await declare({ main: first, side })) === held, "another answer");
    const result = await push(work, "side");
    want(result.ok, result);
    want((await branches()).side === side, await branches());
  });

  await check("a branch is deleted by a state, and the deletion that follows is taken", async () => {
    await declare({ main: first });
    for (let tries = 0; "side" in (await branches()); tries++) want(tries < 1000, await branches());
    const result = await push(work, "side", { delete: true }); // sends nothing to nothing: the ref is gone
    want(result.ok && result.refs["refs/heads/side"].ok, result);
  });

  await check("a branch is deleted by a command that knows an old value", async () => {
    await declare({ main: first, side });
    for (let tries = 0; !("side" in (await branches())); tries++) want(tries < 1000, await branches());
    const stale = await advertised();
    await declare({ main: first });
    for (let tries = 0; "side" in (await branches()); tries++) want(tries < 1000, await branches());
    const result = await push(work, "side", { delete: true, http: { request: remembering(stale) } });
    want(result.ok && result.refs["refs/heads/side"].ok, result);
  });

  await check("a state of two refs cannot be pushed one by one, and the reason says how", async () => {
    const main = await commit(work, "main", "four"), dev = await commit(work, "dev", "five");
    want((await declare({ main, dev })) === held, "another answer");
    for (const ref of ["main", "dev"]) {
      const reason = await refused(push(work, ref));
      want(reason.includes("push all refs of the state in one push"), reason);
    }
    want((await branches()).main === first, await branches());
    await declare({ main });
    want((await push(work, "main")).ok, "the push of the one ref of a later state was refused");
  });

  await check("an issue is heard live, and published again is a duplicate", async () => {
    issue = sign(1621, [["a", `30617:${pubkey}:${identifier}`], ["p", pubkey], ["subject", "page"]], "an issue");
    const again = heard({ kinds: [1621], "#a": [`30617:${pubkey}:${identifier}`] });
    want((await relay.publish(issue)) === "", "another answer");
    want((await again(issue.id)).content === "an issue", "another event");
    const text = await relay.publish(issue);
    want(text.startsWith("duplicate:"), text);
  });

  await check("a refused event has its reason", async () => {
    const text = await publish(1, [], "of nothing that is here").then(() => "taken", (e) => e.message);
    want(text.startsWith("invalid: "), text);
  });

  await check("a pull request is pushed to its ref", async () => {
    const tip = await commit(work, "pull", "six");
    const request = sign(1618, [["a", `30617:${pubkey}:${identifier}`], ["p", pubkey], ["c", tip], ["clone", url], ["subject", "pull"]]);
    want((await relay.publish(request)).startsWith("purgatory:"), "another answer");
    const result = await push(work, "pull", { remoteRef: `refs/nostr/${request.id}` });
    want(result.ok, result);
    await listen(request.id);
    await git.fetch({ fs, http, dir: "/clone", url, ref: `refs/nostr/${request.id}`, singleBranch: true });
    await git.readCommit({ fs, dir: "/clone", oid: tip });
  });

  await check("a page reconciles what it has with what is stored", async () => {
    const all = await stored({ authors: [pubkey] });
    const have = new NostrTools.nip77.NegentropyStorageVector(), own = sign(1, [], "only here");
    for (const e of [...all.slice(1), own]) have.insert(e.created_at, e.id);
    have.seal();
    const need = [], surplus = [];
    await new Promise((resolve, reject) => {
      const sync = new NostrTools.nip77.NegentropySync(relay, have, { authors: [pubkey] }, {
        onneed: (id) => need.push(id), onhave: (id) => surplus.push(id), onclose: (r) => (r ? reject(new Error(r)) : resolve()),
      });
      sync.start();
    });
    want(need.length === 1 && need[0] === all[0].id && surplus.length === 1 && surplus[0] === own.id, need, surplus);
  });
}

// advertised is what the server says to who wants to push, byte by byte.
async function advertised() {
  const response = await fetch(`${url}/info/refs?service=git-receive-pack`);
  return new Uint8Array(await response.arrayBuffer());
}

// remembering answers the first question of a push with an advertisement of earlier, as a client has it whose state was
// published in between.
const remembering = (bytes) => async (request) => {
  if (request.method !== "GET") return http.request(request);
  return {
    url: request.url, method: "GET", statusCode: 200, statusMessage: "OK",
    headers: { "content-type": "application/x-git-receive-pack-advertisement" }, body: [bytes],
  };
};

checks().then(() => end(), (e) => end(e.message));
