Feature: Contributors' pull requests (GRASP-06)
  Whoever has no repository here pushes the commit of a pull request below /prs/: to the place of its signer for the
  identifier of the repository that it is for. Nobody has announced that repository here, unless a check says so.

  @G06-URL-01
  Scenario Outline: the signer's npub and <what>, encoded, make the path
    Given the identifier ends in "<ending>"
    And the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request} | side |

    Examples:
      | id     | what                         | ending |
      | space  | an identifier with a space   | a b    |
      | umlaut | an identifier with an umlaut | -grün  |

  @G06-URL-02 @read-only
  Scenario Outline: a malformed path below /prs/ is the client's error: <fault>
    Given the lighthouse is served
    When a visitor asks for the malformed path <path>
    Then the answer is a client error
    But the place for pull requests of the lighthouse's owner answers fetches

    Examples:
      | id           | fault               | path                                                      |
      | checksum     | a bad checksum      | /prs/{bad npub}/{d}.git/info/refs?service=git-upload-pack |
      | hex          | a hexadecimal key   | /prs/{pubkey}/{d}.git/info/refs?service=git-upload-pack   |
      | nsec         | another kind of key | /prs/{nsec}/{d}.git/info/refs?service=git-upload-pack     |
      | suffix       | no suffix           | /prs/{npub}/{d}/info/refs?service=git-upload-pack         |
      | extra        | an element too many | /prs/{npub}/x/{d}.git/info/refs?service=git-upload-pack   |
      | short        | no identifier       | /prs/{npub}/info/refs?service=git-upload-pack             |
      | nested       | the prefix twice    | /prs/prs/{npub}/{d}.git/info/refs?service=git-upload-pack |

  @G06-FETCH-01 @read-only
  Scenario Outline: a place that nobody used answers fetches as an empty repository in protocol version <version>
    Then the contributor's place for pull requests answers fetches as an empty repository in protocol version <version>
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G06-FETCH-01.served
  Scenario: the place for a served repository shows nothing of it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then the owner's place for pull requests answers fetches as an empty repository in protocol version 0
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version 0

  @G06-FETCH-02 @read-only
  Scenario: a place that nobody used advertises pushes as an empty repository does
    Then the contributor's place for pull requests answers pushes as an empty repository in protocol version 0

  @G06-PUSH-01
  Scenario: anybody may push a ref that is named after an event which nobody knows
    Given the contributor drafted a pull request "one" of the commit side, at its place
    And the contributor drafted a pull request "two" of the commit second, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request one} | side |
    Then the push succeeds
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request two} | second |
    Then the push succeeds
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request one} | side   |
      | refs/nostr/{pull request two} | second |

  @G06-PUSH-01.apart
  Scenario: what is pushed to a place shows nowhere else
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the contributor's place for pull requests "other" answers fetches as an empty repository in protocol version 0
    And the owner's place for pull requests answers fetches as an empty repository in protocol version 0
    And the repository still has exactly:
      | refs/heads/main | first |
    And the pull request has no ref

  @G06-PUSH-02
  Scenario Outline: a ref that is named after no event is refused at a place: <ref>
    Given the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | <ref> | side |
    Then the push is refused
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version 0
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id     | ref                                       |
      | branch | refs/heads/main                           |
      | tag    | refs/tags/v1                              |
      | notes  | refs/notes/x                              |
      | pull   | refs/pull/1/head                          |
      | word   | refs/nostr/main                           |
      | short  | refs/nostr/{pull request, cut short}      |
      | upper  | refs/nostr/{pull request, in upper case}  |
      | below  | refs/nostr/{pull request}/x               |
      | note   | refs/nostr/{pull request, as a note}      |

  @G06-PUSH-02.mixed
  Scenario Outline: a push to a place that holds <what> is refused as a whole
    Given the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side  |
      | <ref>                     | first |
    Then the push is refused
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version 0
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id     | what     | ref             |
      | branch | a branch | refs/heads/main |
      | tag    | a tag    | refs/tags/v1    |

  @G06-PUSH-02.signed
  Scenario: what a state signs is refused at the place of its owner, and moves nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes to the owner's place for pull requests:
      | refs/heads/main | second |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But this push is accepted:
      | refs/heads/main | second |

  @G06-PUSH-03.signer
  Scenario Outline: <form> is refused at the place of another signer
    Given the contributor published <form> of the commit side, at its place
    When a client pushes to the stranger's place for pull requests:
      | refs/nostr/{<event>} | side |
    Then the push is refused
    And the stranger's place for pull requests answers fetches as an empty repository in protocol version 0
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{<event>} | side |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G06-PUSH-03.identifier
  Scenario: a pull request is refused at the place for another identifier
    Given the contributor published a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests "other":
      | refs/nostr/{pull request} | side |
    Then the push is refused
    And the contributor's place for pull requests "other" answers fetches as an empty repository in protocol version 0
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

  @G06-PUSH-03.commit
  Scenario Outline: another commit than <form> names is refused at its place
    Given the contributor published <form> of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{<event>} | second |
    Then the push is refused
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{<event>} | side |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G06-PUSH-03.served
  Scenario: another commit than a served pull request names is refused at its place
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, at its place
    And a client pushed the commit side for the pull request
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | second |
    Then the push is refused
    And the pull request is served
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

  @G06-PUSH-04 @hostile
  Scenario Outline: a branch is not made at a place however the command is written: <form>
    Given the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests <form>:
      | refs/heads/evil | side |
    Then the push changes nothing
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version 0
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id          | form                            |
      | gap         | with capabilities without a gap |
      | line-feeds  | with line feeds                 |
      | upper-case  | with ids in upper case          |
      | atomic      | with the capability atomic      |
      | options     | with push options               |
      | no-caps     | without capabilities            |
      | empty-list  | behind an empty list            |
      | delimiter   | behind a delimiter              |
      | twice       | with each command twice         |
      | tabs        | with tabs                       |
      | returns     | with carriage returns           |
      | certificate | inside a certificate            |

  @G06-PUSH-04.among @hostile
  Scenario Outline: behind the ref of an event no branch is made at a place: <form>
    Given the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests <form>:
      | refs/nostr/{pull request} | side |
      | refs/heads/evil           | side |
    Then the ref refs/heads/evil is refused
    But this push to the contributor's place for pull requests is accepted:
      | refs/nostr/{pull request} | side |

    Examples:
      | id         | form                            |
      | flush      | with a flush inside the list    |
      | delimiter  | with a delimiter inside the list |
      | line-feeds | with line feeds                 |
      | shallow    | with shallow lines in the list  |

  @G06-EV-01
  Scenario Outline: <form> to a repository that is not here is accepted with <place>
    When the contributor publishes <form> of the commit side, at <place>
    Then the event is accepted

    Examples:
      | id           | form           | place                         |
      | pull-request | a pull request | its place                     |
      | update       | an update      | its place                     |
      | scheme       | a pull request | its place by the other scheme |
      | among        | a pull request | its place and elsewhere       |

  @G06-EV-02
  Scenario Outline: <form> to a repository that is not here is refused with <place>
    When the contributor publishes <form> of the commit side, at <place>
    Then the event is refused
    And the <event> is not served
    But the same <event> of the commit side, at its place, is accepted

    Examples:
      | id           | event        | form           | place                               |
      | none         | pull request | a pull request | no place                            |
      | none-update  | update       | an update      | no place                            |
      | elsewhere    | pull request | a pull request | elsewhere alone                     |
      | host         | pull request | a pull request | its place at another host           |
      | port         | pull request | a pull request | its place at another port           |
      | host-suffix  | pull request | a pull request | its place below another host        |
      | npub         | pull request | a pull request | another's place                     |
      | npub-update  | update       | an update      | another's place                     |
      | identifier   | pull request | a pull request | its place for another identifier    |
      | own          | pull request | a pull request | a repository of its own             |
      | query        | pull request | a pull request | its place with a query              |
      | case         | pull request | a pull request | its place in upper case             |
      | suffix       | pull request | a pull request | its place without its ending        |
      | below        | pull request | a pull request | a path below its place              |
      | ssh          | pull request | a pull request | its place by another scheme than http |

  @G06-EV-02.repository
  Scenario: a pull request that names its place and no repository is refused
    When the contributor publishes a pull request of the commit side, for no repository, at its place
    Then the event is refused
    And the pull request is not served
    But the same pull request of the commit side, at its place, is accepted

  @G06-EV-03
  Scenario: an issue to a repository that is not here is refused with a place of its signer
    When the contributor publishes an issue of the commit side, at its place
    Then the event is refused
    And the issue is not served
    But the same pull request of the commit side, at its place, is accepted

  @G06-EV-04.first
  Scenario Outline: the commit of <form> that waits makes it served
    Given the contributor's <event> of the commit side, at its place, waits
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{<event>} | side |
    Then the push succeeds
    And the <event> is served within 5 seconds
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{<event>} | side |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G06-EV-04.two
  Scenario: of two pull requests of one signer at one place each is served once its own commit is there, and has its ref
    Given the contributor's pull request "one" of the commit side, at its place, waits
    And the contributor's pull request "two" of the commit second, at its place, waits
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request one} | side |
    Then the push succeeds
    And the pull request "one" is served
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request two} | second |
    Then the push succeeds
    And the pull request "two" is served
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request one} | side   |
      | refs/nostr/{pull request two} | second |

  @G06-EV-04.own
  Scenario: a pull request at its place leaves its signer's own repository of that identifier alone
    Given the contributor's repository is served with:
      | refs/heads/main | first |
    And the contributor's pull request of the commit side, at its place, waits
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the pull request is served
    And the contributor's repository still has exactly:
      | refs/heads/main | first |
    And the contributor published the state:
      | refs/heads/main | second |
    When a client pushes to the contributor's repository:
      | refs/heads/main | second |
    Then the push succeeds
    And the contributor's repository has exactly:
      | refs/heads/main | second |

  @G06-EV-04.behind
  Scenario Outline: <form> whose commit is at its place is served
    Given the contributor drafted <form> of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{<event>} | side |
    When the contributor publishes the <event>
    Then the event is accepted
    And the <event> is served
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{<event>} | side |

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G06-EV-05
  Scenario: the ref with another commit than its event names goes from the place, and the event is not served
    Given the contributor drafted a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | second |
    When the contributor publishes the pull request
    Then the event is refused, or accepted and waiting
    And the pull request is not served
    And the contributor's place for pull requests becomes empty

  @G06-GC-01 @wait:36m
  Scenario: a ref at a place goes without its event, and stays with it
    Given the contributor drafted a pull request "kept" of the commit side, at its place
    And the contributor drafted a pull request "never" of the commit second, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request kept} | side |
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request never} | second |
    When the contributor publishes the pull request "kept"
    Then the event is accepted
    When 36 minutes pass
    Then the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request kept} | side |
    And the pull request "kept" is served

  @G06-GC-02 @wait:36m
  Scenario: a place whose last ref has gone is an empty repository again
    Given the contributor drafted a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    When 36 minutes pass
    Then the contributor's place for pull requests answers fetches as an empty repository in protocol version 0
    And the contributor's place for pull requests answers pushes as an empty repository in protocol version 0
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds

  @G06-MIR-01
  Scenario: a released ref comes to the repository here that its event names, and nothing else moves there
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the pull request is served
    And the pull request has its ref at the commit side
    And the repository has exactly:
      | refs/heads/main | first |

  @G06-MIR-02
  Scenario: whether a push to a repository shows below /prs/ is recorded
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, at its place
    And a client pushed the commit side for the pull request
    Then it is recorded whether the contributor's place for pull requests is empty

  @G06-MIR-03
  Scenario: whether a repository that comes later gets the refs from before is recorded
    Given the contributor published a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    And the owner's repository is served with:
      | refs/heads/main | first |
    Then it is recorded whether the pull request has a ref

  @G06-WEB-01
  Scenario: whether the root names places for pull requests is recorded
    Given the contributor published a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then it is recorded whether the root names the contributor's place for pull requests

  @G06-DEL-01 @wait:36m
  Scenario: what becomes of a deleted pull request and of its ref below /prs/ is recorded
    Given the contributor published a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    When the contributor asks to delete the pull request by id
    Then it is recorded whether the pull request is served
    When 36 minutes pass
    Then it is recorded whether the contributor's place for pull requests is empty

  @G06-EV-04.restart @serial @further @needs:restart @wait:36m
  Scenario Outline: the ref of a served <event> stays at its place for good behind a restart
    Given the contributor published <form> of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{<event>} | side |
    And the <event> is served
    When the server restarts
    And 36 minutes pass
    Then the contributor's place for pull requests has exactly:
      | refs/nostr/{<event>} | side |
    And the <event> is still served

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G06-GC-01.restart @serial @further @needs:restart @wait:36m
  Scenario: a restart gives a ref at a place that waits for its event no more time than it had
    Given the contributor drafted a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    When 12 minutes pass
    And the server restarts
    And another 14 minutes pass
    Then the contributor's place for pull requests becomes empty
