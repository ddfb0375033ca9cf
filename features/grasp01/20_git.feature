Feature: Git over HTTP
  Every accepted repository is a smart HTTP git repository that anybody can read.

  @G01-GIT-01
  Scenario: a repository answers smart HTTP below npub and identifier
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer is a smart HTTP advertisement

  @G01-GIT-01.fresh @score:should
  Scenario Outline: the <what> of a repository is not to be kept
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor asks for the <what> of the owner's repository
    Then the answer is for this moment alone

    Examples:
      | id    | what                |
      | fetch | fetch advertisement |
      | push  | push advertisement  |

  @G01-GIT-01.kept
  Scenario: who has kept what a repository had is told what it has now
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer is a smart HTTP advertisement
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    When a visitor who has kept that answer asks again for the fetch advertisement of the owner's repository
    Then the answer to the visitor names the commit second

  @G01-GIT-02.typed @score:should
  Scenario Outline: the result of a <service> has its content type
    Given the lighthouse is served
    When a visitor sends POST to the <service> endpoint of the lighthouse with the content type application/x-<name>-request
    Then the answer, if it is a success, has the content type application/x-<name>-result

    Examples:
      | id    | service | name             |
      | fetch | fetch   | git-upload-pack  |
      | push  | push    | git-receive-pack |

  @G01-GIT-02
  Scenario Outline: listing, cloning and fetching work in protocol version <version>
    Given the lighthouse is served
    Then the lighthouse can be listed in protocol version <version>
    And the lighthouse can be cloned in protocol version <version>
    And a clone of its first commit can be brought up to date in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-02.first
  Scenario Outline: who lists a repository in protocol version <first> first leaves his answer to nobody who asks in version <then>
    Given the owner announced the repository
    Then the empty repository can be cloned in protocol version <first>
    And the empty repository can be cloned in protocol version <then>
    And the empty repository can be cloned in protocol version <first>

    Examples:
      | id    | first | then |
      | two   | 2     | 0    |
      | one   | 1     | 0    |
      | two-1 | 2     | 1    |
      | none  | 0     | 2    |

  @G01-GIT-02.turns
  Scenario: clients of all protocol versions list one repository in turns
    Given the lighthouse is served
    Then the lighthouse can be listed in protocol version 2
    And the lighthouse can be listed in protocol version 0
    And the lighthouse can be listed in protocol version 2
    And the lighthouse can be listed in protocol version 1
    And the lighthouse can be listed in protocol version 0

  @G01-GIT-04
  Scenario: wants by id are offered
    Given the lighthouse is served
    Then the advertisement offers allow-reachable-sha1-in-want
    And the advertisement offers allow-tip-sha1-in-want

  @G01-GIT-04.empty
  Scenario: wants by id are offered by an empty repository that offers anything
    When the owner announces the repository
    Then the empty repository offers allow-reachable-sha1-in-want, if anything, in protocol version 0
    And the empty repository offers allow-tip-sha1-in-want, if anything, in protocol version 0

  @G01-GIT-06
  Scenario Outline: <object> can be asked for by id in protocol version <version>
    Given the lighthouse is served
    Then <object> of the lighthouse can be fetched by id in protocol version <version>

    Examples:
      | id          | object             | version |
      | ancestor-v0 | an ancestor commit | 0       |
      | ancestor-v2 | an ancestor commit | 2       |
      | tip-v0      | a tip              | 0       |
      | tree-v0     | a tree             | 0       |
      | blob-v2     | a file             | 2       |

  @G01-GIT-07
  Scenario Outline: a missing object is refused by a protocol error in protocol version <version>
    Given the lighthouse is served
    Then a missing object is refused by the lighthouse in protocol version <version>
    But a tip of the lighthouse can be fetched by id in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-07.beside
  Scenario Outline: a missing object <where> one that is there is refused in protocol version <version>
    Given the lighthouse is served
    Then a missing object <where> the tip is refused by the lighthouse in protocol version <version>

    Examples:
      | id        | where  | version |
      | before-v0 | before | 0       |
      | behind-v0 | behind | 0       |
      | before-v2 | before | 2       |
      | behind-v2 | behind | 2       |

  @G01-GIT-10 @read-only
  Scenario Outline: an unknown repository is not found at <endpoint>
    When a visitor asks for <endpoint> of an unknown repository
    Then the answer has status 404

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  @G01-GIT-10.known
  Scenario Outline: a repository that a known key has not announced is not found at <endpoint>
    When a visitor asks for <endpoint> of an unknown repository of a known key
    Then the answer has status 404
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  @G01-GIT-11
  Scenario Outline: a malformed request is the client's error: <fault>
    Given the lighthouse is served
    When a visitor asks for the malformed path <path>
    Then the answer is a client error
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id           | fault                   | path                                                        |
      | checksum     | a bad checksum          | /{bad npub}/{d}.git/info/refs?service=git-upload-pack       |
      | hex          | a hexadecimal key       | /{pubkey}/{d}.git/info/refs?service=git-upload-pack         |
      | nsec         | another kind of key     | /{nsec}/{d}.git/info/refs?service=git-upload-pack           |
      | suffix       | no suffix               | /{npub}/{d}/info/refs?service=git-upload-pack               |
      | double-slash | a double slash          | /{npub}//{d}.git/info/refs?service=git-upload-pack          |
      | extra        | an element too many     | /{npub}/x/{d}.git/info/refs?service=git-upload-pack         |
      | service      | no service              | /{npub}/{d}.git/info/refs                                   |
      | unknown      | an unknown service      | /{npub}/{d}.git/info/refs?service=git-bake-pack             |
      | bytes        | bytes that are no text  | /{npub}/{d}%ff.git/info/refs?service=git-upload-pack        |

  @G01-GIT-16 @hostile
  Scenario Outline: no path leads out of its repository: <way>
    Given the lighthouse is served
    When a visitor asks for the malformed path <path>
    Then the answer shows no repository
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id          | way                   | path                                                                              |
      | dots        | encoded dots          | /{npub}/%2e%2e/{npub}/{d}.git/info/refs?service=git-upload-pack                   |
      | dots-slash  | an encoded slash      | /{other npub}/..%2f{npub}%2f{d}.git/info/refs?service=git-upload-pack             |
      | all-encoded | everything encoded    | /{other npub}/%2e%2e%2f{npub}%2f{d}.git/info/refs?service=git-upload-pack         |
      | plain       | plain dots            | /{other npub}/../{npub}/{d}.git/info/refs?service=git-upload-pack                 |
      | backslash   | a backslash           | /{other npub}/..%5c{npub}%5c{d}.git/info/refs?service=git-upload-pack             |
      | nul         | a zero byte           | /{npub}/{d}.git%00.git/info/refs?service=git-upload-pack                          |
      | passwd      | a file of the machine | /{npub}/..%2f..%2f..%2f..%2fetc%2fpasswd                                          |

  @G01-GIT-03
  Scenario Outline: protocol version 2 offers <capability> <what>
    Given the lighthouse is served
    Then the advertisement of version 2 offers <capability> <what>

    Examples:
      | id            | capability    | what         |
      | ls-refs       | ls-refs       |              |
      | fetch-shallow | fetch         | with shallow |
      | fetch-filter  | fetch         | with filter  |
      | object-format | object-format | with sha1    |

  @G01-GIT-05
  Scenario: filters are offered
    Given the lighthouse is served
    Then the advertisement offers filter

  @G01-GIT-05.honored
  Scenario Outline: the filter <filter> is honored in protocol version <version>
    Given the lighthouse is served
    Then a clone with the filter <filter> in protocol version <version> holds 3 commits, <trees> trees and 0 files

    Examples:
      | id      | filter    | version | trees |
      | blob-v0 | blob:none | 0       | 4     |
      | blob-v2 | blob:none | 2       | 4     |
      | tree-v0 | tree:0    | 0       | 0     |
      | tree-v2 | tree:0    | 2       | 0     |

  @G01-GIT-05.named
  Scenario Outline: <object> that is asked for by id comes in protocol version <version> although the filter <filter> leaves the like out of a clone
    Given the lighthouse is served
    Then <object> of the lighthouse can be fetched by id with the filter <filter> in protocol version <version>

    Examples:
      | id      | object | filter    | version |
      | blob-v0 | a file | blob:none | 0       |
      | blob-v2 | a file | blob:none | 2       |
      | tree-v2 | a tree | tree:0    | 2       |

  @G01-GIT-06.pull
  Scenario: what the ref of a pull request alone reaches can be asked for by id
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit third
    And a client pushed the commit third for the pull request
    And the pull request is served
    Then one fetch in protocol version 0 brings the object second
    And one fetch in protocol version 2 brings the object second

  @G01-GIT-06.several
  Scenario Outline: several objects, a tag and an object named twice can be asked for at once in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    Then one fetch in protocol version <version> brings the objects second and side
    And one fetch in protocol version <version> brings the tag tag
    And one fetch in protocol version <version> brings the objects side, tag and second
    And one fetch in protocol version <version> brings the objects side, side and second

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-08
  Scenario Outline: browser clients find <capability>
    Given the lighthouse is served
    Then the advertisement offers <capability>

    Examples:
      | id            | capability         |
      | acks          | multi_ack_detailed |
      | side-band     | side-band-64k      |
      | shallow       | shallow            |
      | object-format | object-format      |

  @G01-GIT-08.combined
  Scenario Outline: depth and filter work together in protocol version <version>
    Given the lighthouse is served
    Then a fetch of depth 1 with the filter tree:0 in protocol version <version> holds 1 commits, 0 trees and 0 files

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09
  Scenario Outline: a fetch of depth <depth> brings that many commits in protocol version <version>
    Given the lighthouse is served
    Then a fetch of depth <depth> in protocol version <version> holds <depth> commits, <trees> trees and <files> files

    Examples:
      | id     | depth | version | trees | files |
      | one-v0 | 1     | 0       | 2     | 2     |
      | two-v0 | 2     | 0       | 3     | 3     |
      | one-v2 | 1     | 2       | 2     | 2     |

  @G01-GIT-09.beyond
  Scenario Outline: a fetch of a depth beyond the first commit brings all there is in protocol version <version>
    Given the lighthouse is served
    Then a fetch of depth 9 in protocol version <version> holds 3 commits, 4 trees and 4 files

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.two
  Scenario Outline: a depth is counted from each commit that is asked for in protocol version <version>
    Given the lighthouse is served
    Then a fetch of depth 1 of two commits in protocol version <version> brings both

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.deepened
  Scenario Outline: a shallow clone can be deepened in protocol version <version>
    Given the lighthouse is served
    Then a clone of depth 1 can be deepened in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-09.whole
  Scenario Outline: a shallow clone can be made whole in protocol version <version>
    Given the lighthouse is served
    Then a clone of depth 1 can be made whole in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-12
  Scenario Outline: HEAD of the <service> advertisement has the headers of GET and no body
    When a visitor sends HEAD to the <service> advertisement of the lighthouse
    Then the answer is empty with status 200
    And the answer has the content type application/x-<name>-advertisement

    Examples:
      | id    | service | name             |
      | fetch | fetch   | git-upload-pack  |
      | push  | push    | git-receive-pack |

  @G01-GIT-13
  Scenario Outline: <method> with <content type> at the <service> endpoint is the client's error
    When a visitor sends <method> to the <service> endpoint of the lighthouse <with>
    Then the answer is a client error
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id         | method | service | content type | with                                 |
      | get-fetch  | GET    | fetch   | none         |                                      |
      | get-push   | GET    | push    | none         |                                      |
      | text-fetch | POST   | fetch   | plain text   | with the content type text/plain     |
      | form-push  | POST   | push    | a form       | with the content type application/x-www-form-urlencoded |
      | swap-fetch | POST   | fetch   | a push       | with the content type application/x-git-receive-pack-request |
      | put-fetch  | PUT    | fetch   | a fetch      | with the content type application/x-git-upload-pack-request |
      | put-push   | PUT    | push    | a push       | with the content type application/x-git-receive-pack-request |
      | patch-push | PATCH  | push    | a push       | with the content type application/x-git-receive-pack-request |
      | gone-fetch | DELETE | fetch   | none         |                                      |

  @G01-GIT-14
  Scenario Outline: <service> shows branches, tags and HEAD and nothing else in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    Then every ref that is advertised for <service> in protocol version <version> is a branch, a tag or HEAD

    Examples:
      | id       | service          | version |
      | fetch-v0 | git-upload-pack  | 0       |
      | fetch-v2 | git-upload-pack  | 2       |
      | push-v0  | git-receive-pack | 0       |

  @G01-GIT-14.pushes
  Scenario: what a state has moved without a push is advertised for the next one
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    And the repository has exactly, as it is advertised for pushes:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    Then the event is accepted
    And the owner's repository came to have exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the repository has exactly, as it is advertised for pushes:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-GIT-14.namesake
  Scenario: the ref of a pull request is not shown by a repository of that identifier which the event does not name
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served
    And the pull request has no ref in the stranger's repository

  @G01-GIT-15
  Scenario Outline: an empty repository can be cloned in protocol version <version>
    When the owner announces the repository
    Then the empty repository can be cloned in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-15.capabilities
  Scenario Outline: an empty repository says what it offers in protocol version <version>
    When the owner announces the repository
    Then the empty repository says what it offers in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-15.unborn
  Scenario: an empty repository that offers to tell what HEAD will be does so
    When the owner announces the repository
    Then the repository answers git and is empty
    And the empty repository tells the branch of HEAD, if it offers that

  @G01-GIT-17
  Scenario Outline: a path with <spelling> names the same repository
    Given the lighthouse is served
    Then the lighthouse can be listed at its path with <spelling>

    Examples:
      | id     | spelling                        |
      | letter | an escaped letter               |
      | upper  | an escaped hyphen               |
      | lower  | an escaped hyphen in lower case |

  @G01-GIT-17.signs
  Scenario Outline: a path with <sign> as it is names the same repository
    Given the identifier ends in "<ending>"
    When the owner announces the repository
    Then the event is accepted, or such an identifier is not taken here
    And the repository answers git and is empty
    And the repository answers git by its path without escapes

    Examples:
      | id    | sign       | ending    |
      | plus  | a plus     | a+b       |
      | signs | every sign | !a$b(c)*d |
      | marks | every mark | a,b=c@d;e |

  @G01-GIT-18
  Scenario: a state with SHA-256 object ids is accepted or refused, and harms nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner sends the state:
      | refs/heads/main | (sha256) |
    Then the answer to the event is recorded
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-GIT-19
  Scenario: a large repository can be cloned after many aborted clones
    Given the owner's repository is served with:
      | refs/heads/main | large           |
      | HEAD            | refs/heads/main |
    When 12 clients give up their clones of the repository
    And a client clones the repository
    Then the clone is on the branch main at the commit large

  @G01-GIT-20
  Scenario: an unknown protocol version is tolerated
    Given the lighthouse is served
    Then the lighthouse can be listed in protocol version 99

  @G01-GIT-20.encoding
  Scenario: a client may accept compressed answers
    Given the lighthouse is served
    Then the lighthouse can be listed and fetched by a client that accepts compressed answers
