Feature: How a push travels
  Packs that are broken, shallow, large or sent side by side, and how a refusal is told.

  @G01-PUSH-21 @hostile
  Scenario Outline: a <fault> pack changes nothing and can be sent again whole: <size>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | <commit> |
    When a client pushes with a <fault> pack:
      | refs/heads/main | <commit> |
    Then the push is refused
    And the state does not show in a query by id
    But a push of the whole pack then succeeds:
      | refs/heads/main | <commit> |

    Examples:
      | id              | fault     | size                | commit |
      | truncated       | truncated | a few bytes         | second |
      | corrupted       | corrupted | a few bytes         | second |
      | truncated-large | truncated | more than a pipe    | large  |
      | corrupted-large | corrupted | more than a pipe    | large  |

  @G01-PUSH-28
  Scenario: a refused push tells the reason
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/dev | side |
    Then the push is refused
    And the refusal tells a reason
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-PUSH-28.plain
  Scenario: a refused push tells the reason to who asked for no side-band
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes without the side-band:
      | refs/heads/dev | side |
    Then the push is refused
    And the refusal tells a reason
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-PUSH-28.deletion
  Scenario: a refused deletion tells the reason
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When a client pushes:
      | refs/heads/dev | (delete) |
    Then the push is refused
    And the refusal tells a reason
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-28.letters
  Scenario: a refused push of a branch with other letters tells the reason
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/übung-日本 | side |
    Then the push is refused
    And the refusal tells a reason
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-28.large
  Scenario Outline: a refused push of <size> tells the reason
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/dev | <commit> |
    Then the push is refused
    And the refusal tells a reason
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first    |
      | refs/heads/dev  | <commit> |

    Examples:
      | id    | size                      | commit |
      | pipe  | more than a pipe holds    | large  |
      | bulky | more than git's first try | bulky  |

  @G01-PUSH-28.long
  Scenario: a refusal that is longer than a pipe is told to its end
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes 1000 branches that no state names
    Then the push is refused
    And the refusal tells a reason
    But this push is accepted:
      | refs/heads/main | second |

  @G01-PUSH-28.offered
  Scenario: clients that push are offered reports
    Given the lighthouse is served
    Then the advertisement for pushes offers report-status

  @G01-PUSH-07.offered
  Scenario: clients that push are offered deletions
    Given the lighthouse is served
    Then the advertisement for pushes offers delete-refs

  @G01-PUSH-24.probe
  Scenario: git's empty push before a large one is answered and changes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes nothing
    Then the answer has status 200
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state does not show in a query by id

  @G01-PUSH-19
  Scenario Outline: a push <form> succeeds: <what>
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    And the owner published the state:
      | refs/heads/main | <main> |
      | refs/heads/dev  | side   |
      | refs/heads/new  | third  |
    When a client pushes <form>:
      | refs/heads/main | <main> |
      | refs/heads/new  | third  |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | <main> |
      | refs/heads/dev  | side   |
      | refs/heads/new  | third  |

    Examples:
      | id     | what                     | form                             | main   |
      | moved  | a branch goes on         | from a shallow clone             | third  |
      | two    | of two ends              | from a shallow clone of two ends | third  |
      | beside | a new branch is on top   | from a shallow clone             | second |

  @G01-PUSH-19.new
  Scenario: a push of a new branch from a shallow clone succeeds
    Given the owner's repository is served with:
      | refs/heads/main | second |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/new  | third  |
    When a client pushes from a shallow clone:
      | refs/heads/new | third |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | second |
      | refs/heads/new  | third  |

  @G01-PUSH-19.refused
  Scenario: a push from a shallow clone is refused without the state
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When a client pushes from a shallow clone:
      | refs/heads/main | third |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-PUSH-01.deltas
  Scenario Outline: a push <form> succeeds
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | third |
    When a client pushes <form>:
      | refs/heads/main | third |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | third |
    And what was pushed can be cloned in protocol version 0

    Examples:
      | id     | form                         |
      | offset | with deltas by offset        |
      | name   | with deltas by name          |
      | there  | with deltas of what is there |

  @G01-PUSH-01.made
  Scenario Outline: a push of a commit <what> succeeds
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | <commit> |
    When a client pushes:
      | refs/heads/main | <commit> |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | <commit> |
    And what was pushed can be cloned in protocol version 0
    And what was pushed can be cloned in protocol version 2

    Examples:
      | id     | what                      | commit |
      | merge  | with two parents          | merge  |
      | module | with a submodule          | module |
      | modes  | with a link and a program | modes  |
      | signed | with a signature          | signed |

  @G01-PUSH-05.outer
  Scenario: a tag of a tag is accepted with the state
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v2    | outer |
    When a client pushes:
      | refs/tags/v2 | outer |
    Then the push succeeds
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/tags/v2    | outer |
    And what was pushed can be cloned in protocol version 0

  @G01-PUSH-22
  Scenario Outline: a pack that leaves objects missing is refused: <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | third |
    When a client pushes <form>:
      | refs/heads/main | third |
    Then the push is refused
    And the state does not show in a query by id
    But a push of the whole pack then succeeds:
      | refs/heads/main | third |

    Examples:
      | id     | form                                 |
      | tree   | with a pack that lacks a tree        |
      | parent | with a pack that lacks a parent      |
      | file   | with a pack that lacks a file        |
      | empty  | with an empty pack                   |
      | depth1 | with all that a clone of depth 1 has |

  @G01-PUSH-22.first
  Scenario Outline: nor is it whole where nothing is there yet: <form>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | third |
    When a client pushes <form>:
      | refs/heads/main | third |
    Then the push is refused
    And the state does not show in a query by id
    But a push of the whole pack then succeeds:
      | refs/heads/main | third |

    Examples:
      | id     | form                                 |
      | parent | with a pack that lacks a parent      |
      | depth1 | with all that a clone of depth 1 has |
      | depth2 | with all that a clone of depth 2 has |

  @G01-PUSH-23
  Scenario Outline: a push works when its body is sent <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes <form>:
      | refs/heads/main | second |
    Then the push succeeds

    Examples:
      | id          | form                      |
      | gzip        | compressed                |
      | chunked     | in chunks                 |
      | gzip-chunks | compressed and in chunks  |
      | continue    | behind a request to go on |

  @SEC-10.sent @hostile
  Scenario Outline: a push moves nothing that nobody has signed when it is sent <form>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes <form>:
      | refs/heads/main | second |
      | refs/heads/evil | second |
    Then the push changes nothing
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id          | form                           |
      | gzip        | compressed                     |
      | chunked     | in chunks                      |
      | gzip-chunks | compressed and in chunks       |
      | continue    | behind a request to go on      |
      | query       | with a query                   |
      | parameter   | with a parameter of its type   |
      | letters     | with its type in other letters |
      | anything    | with the type of anything      |
      | no-type     | without a type                 |

  @G01-PUSH-23.cut @hostile
  Scenario: a push whose compressed body is cut short changes nothing and can be sent again whole
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes compressed and cut short:
      | refs/heads/main | second |
    Then the push is refused
    And the state does not show in a query by id
    But a push of the whole pack then succeeds:
      | refs/heads/main | second |

  @G01-PUSH-23.fetch
  Scenario Outline: a fetch works when its body is sent <form>, in protocol version <version>
    Given the lighthouse is served
    Then the lighthouse can be cloned <form> in protocol version <version>

    Examples:
      | id         | form       | version |
      | gzip-v0    | compressed | 0       |
      | gzip-v2    | compressed | 2       |
      | gzip-v1    | compressed | 1       |
      | chunked-v0 | in chunks  | 0       |
      | chunked-v2 | in chunks  | 2       |
      | gzip-chunks-v0 | compressed and in chunks | 0 |
      | gzip-chunks-v2 | compressed and in chunks | 2 |
      | continue-v0 | behind a request to go on | 0 |
      | continue-v2 | behind a request to go on | 2 |

  @G01-PUSH-25
  Scenario: the same push by several clients at once leaves what the state says
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When 6 clients push at once:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @G01-PUSH-25.answered @score:should
  Scenario: of equal pushes by several clients at once none is answered by a failure
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | large |
      | refs/heads/dev  | side  |
    When 6 clients push at once:
      | refs/heads/main | large |
      | refs/heads/dev  | side  |
    Then the push succeeds
    And none of the pushes is answered by a failure

  @G01-PUSH-25.unsigned
  Scenario: unsigned pushes by several clients at once change nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When 6 clients push at once:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PUSH-25.outdated
  Scenario: a push by a client that saw older refs harms nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | side |
    And a client pushed:
      | refs/heads/main | side |
    And the owner published the state:
      | refs/heads/main | third |
    When a client that saw the refs as they were before pushes:
      | refs/heads/main | third |
    Then no ref moved but as a state says
    But this push is accepted:
      | refs/heads/main | third |

  @G01-PUSH-25.behind
  Scenario: what decides is the state that is the latest when a push comes, not when its client asked for the refs
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client asks for the refs, and pushes when the owner's next state has come:
      | refs/heads/main | second | side |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | first |
    But this push is accepted:
      | refs/heads/main | side |

  @G01-PUSH-25.besides
  Scenario Outline: pushes at once to two repositories of one <what> end each in its own: <held> waits
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the <other repository> is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | <here> |
    And the <state>:
      | refs/heads/main | <there> |
    When while a push to the <held> is under way, another goes to the <whole>:
      | refs/heads/main | large | side |
    Then both pushes succeed
    And the owner's repository has exactly:
      | refs/heads/main | <here> |
    And the <other repository> has exactly:
      | refs/heads/main | <there> |

    Examples:
      | id             | what       | other repository           | state                                                  | here  | there | held                       | whole                      |
      | key            | key        | owner's repository "other" | owner published the state "its" of the repository "other" | large | side  | owner's repository         | owner's repository "other" |
      | key-too        | key        | owner's repository "other" | owner published the state "its" of the repository "other" | side  | large | owner's repository "other" | owner's repository         |
      | identifier     | identifier | stranger's repository      | stranger published the state                           | large | side  | owner's repository         | stranger's repository      |
      | identifier-too | identifier | stranger's repository      | stranger published the state                           | side  | large | stranger's repository      | owner's repository         |

  @G01-PUSH-26
  Scenario: a state that arrives during a push leaves the refs as one of both wants them
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes while the owner's next state arrives:
      | refs/heads/main | second | third |
    Then no ref moved but as a state says
    And a push of the latest state then succeeds:
      | refs/heads/main | third |

  @G01-PUSH-29
  Scenario: the objects of a refused push cannot be fetched
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/dev | side |
    Then the push is refused
    And the commit side cannot be fetched
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
