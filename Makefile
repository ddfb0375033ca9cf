# What runs before every commit is .ci/run; these are its parts, for the hand.
TOOL := go tool -modfile=tools.mod

.PHONY: check test race lint fmt bench cost matrix catchers steady mutants contexts find growth crash scripts peers determinism cover pictures release

check:
	.ci/run

test:
	go test -timeout 40m ./...

race:
	go test -race -short -timeout 40m ./...

lint:
	go vet ./...
	$(TOOL) golangci-lint run ./...

fmt:
	$(TOOL) golangci-lint fmt ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...

# What an event of a simulated world costs, in events of a bare heap: the table of docs/cost.md.
ROUNDS_OF_COST ?= 3
cost:
	mkdir -p out
	go test ./sim -run '^$$' -bench '^BenchmarkCost$$' -benchtime $(ROUNDS_OF_COST)x -cpu 1 -timeout 60m -cost.table ../out/cost.md
	cat out/cost.md

# What a step of the core costs as a server grows, by events, subscriptions, repositories and owners.
growth:
	go test ./reference/core -run '^$$' -bench 'Growth|Owners' -benchtime 200x

# Every planted defect against every check: half an hour.
matrix:
	go test ./internal/judgetest -run DefectsAreCaught -timeout 100m -args -full

# Which checks of its row each planted mistake is judged by in the tests: one mistake for each check, one check for each mistake. Without
# it, new ones are judged by all.
catchers:
	go test ./internal/judgetest -run 'DefectsAreCaught|DefectsInSource|KillersKill|EveryCheckHasAKiller' -count=1 -timeout 60m -args -catchers testdata/catchers.txt

# The main job ROUNDS times, every second time with four busy loops a core beside it: no verdict may change.
ROUNDS ?= 50
steady:
	go test ./internal/judgetest -run '^TestSteady$$' -count=1 -timeout 10h -v -args -steady $(ROUNDS)

# Mutants of what decides, judged as servers of somebody else: half an hour for 200 of them, the report in out/mutants.
# SEED=2 draws others; ONLY='push.go:125' judges those whose place or key fits a regular expression; BY='nip01/' judges by
# the feature files whose name fits one, which is quick.
N ?= 200
SEED ?= 1
ONLY ?=
BY ?=
mutants:
	nice -n 10 go test ./internal/judgetest -run '^TestMutants$$' -count=1 -v -timeout 100m \
		-args -mutants.n $(N) -mutants.seed $(SEED) -mutants.only '$(ONLY)' -mutants.features '$(BY)'

# Plain mistakes, each made in one context alone: kinds, letters, contents, tags, shapes of queries and pushes. What nobody meets or
# sees is in out/contexts.txt, a line each. ONLY='^push-' judges those whose names fit, which takes minutes; all take half an hour.
contexts: ONLY = .
contexts:
	mkdir -p out
	nice -n 10 go test ./internal/judgetest -run '^TestMistakesInContexts$$' -count=1 -v -timeout 300m \
		-args -contexts '$(ONLY)' -contexts-into $(abspath out/contexts.txt)

# What the simulated world finds by invariants and model alone: mutants of what decides, and the planted defects on its seams;
# the report in out/find. N, SEED and ONLY are as above; ONLY fits names of defects, too. CPU bounds what each may take. Who is
# interrupted goes on where that was. SEED=1,2 TABLE=docs/find.md draws N of each and writes the page about what is not seen.
CPU ?= 60s
TABLE ?=
WORLDS ?=
find:
	nice -n 10 go test ./internal/findtest -run '^TestFind$$' -count=1 -v -timeout 300m \
		-args -find.n $(N) -find.seed $(SEED) -find.only '$(ONLY)' -find.cpu $(CPU) -find.worlds '$(WORLDS)' \
		$(if $(TABLE),-find.table $(abspath $(TABLE)))

# The server is killed under load, a thousand times in five minutes or so. SEED=... repeats the draws of a run, which names it.
KILLS ?= 1000
crash: SEED = 0
crash:
	go test ./cmd/grasp-sim -run '^TestKilledUnderLoad$$' -count=1 -v -timeout 60m -args -crash.kills $(KILLS) -crash.seed $(SEED)

# Every planted mistake is judged by its URL, and the script of what was seen is run where the mistake is, and where it is not: a
# quarter of an hour, in which little is computed. ONLY fits names of mistakes.
scripts:
	nice -n 10 go test ./internal/judgetest -run '^TestScriptsSeeItAgain$$' -count=1 -v -timeout 100m -parallel 16 \
		-args $(if $(ONLY),-scripts.only '$(ONLY)',-scripts.all)

# The reference beside another relay, by ratios. It has a module of its own.
peers:
	cd cmd/grasp-peers && go run . -rounds 5

determinism:
	.ci/run determinism

cover:
	mkdir -p out
	go test -coverpkg=./... -coverprofile=out/cover.prof ./...
	go tool cover -func=out/cover.prof | tail -n 1

# The pictures of docs/report.md, of this tree: a minute or two. It needs Chromium.
pictures:
	go test ./internal/browsertest -run '^TestPictures$$' -count=1 -v -timeout 30m -require-browser -pictures $(abspath docs)

# What is shipped of the commit that is checked out: binaries for six platforms, SBOMs, manual pages, completions, sums.
release:
	rm -rf out/release
	.ci/release out/release
