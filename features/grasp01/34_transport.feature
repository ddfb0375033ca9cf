Feature: Transport
  Git data of any size and in any spelling that git clients use gets through, or is refused in words.

  @G01-PUSH-24
  Scenario: a push of five megabytes works, or the refusal says why
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | bulky |
    When a client pushes:
      | refs/heads/main | bulky |
    Then the push works or is refused with a clear error
    And relay and git still answer

  @G01-PUSH-24.huge
  Scenario: a push of fifty megabytes works, or the refusal says why
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | huge |
    When a client pushes:
      | refs/heads/main | huge |
    Then the push works or is refused with a clear error
    And relay and git still answer

  @G01-PUSH-24.chunked
  Scenario: a push of fifty megabytes in chunks works, or the refusal says why
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | huge |
    When a client pushes in chunks:
      | refs/heads/main | huge |
    Then the push works or is refused with a clear error
    And relay and git still answer

  @G01-PUSH-24.memory @serial @further @live-only @because:needs-a-process-of-its-own
  Scenario: a push of fifty megabytes is not kept in memory several times over
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | huge |
    And the memory of the server is weighed
    When a client pushes:
      | refs/heads/main | huge |
    Then the push works or is refused with a clear error
    And that took at most 250 megabytes of memory

  @G01-PUSH-24.refs
  Scenario Outline: a push of <count> branches works, or the refusal says why
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published a state of <count> branches
    When a client pushes all of them
    Then the push works or is refused with a clear error
    And what was pushed can be cloned in protocol version 2

    Examples:
      | id       | count |
      | hundred  | 100   |
      | thousand | 1000  |

  @G01-GIT-19.large
  Scenario Outline: five megabytes can be cloned in protocol version <version>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | bulky |
    When a client pushes:
      | refs/heads/main | bulky |
    Then what was pushed can be cloned in protocol version <version>
    And relay and git still answer

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |

  @G01-GIT-19.large
  Scenario Outline: five megabytes can be cloned in protocol version <version>, and again when <count> clients have left in the middle of that
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | bulky |
    When a client pushes:
      | refs/heads/main | bulky |
    Then what was pushed can be cloned in protocol version <version>, and again once <count> clients have left in the middle of that
    And relay and git still answer

    Examples:
      | id | version | count |
      | v2 | 2       | 20    |

  @G01-GIT-19.memory @serial @further @live-only @because:needs-a-process-of-its-own
  Scenario: an answer of twenty megabytes is not kept in memory several times over
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | weighty |
    And the memory of the server is weighed
    When a client pushes:
      | refs/heads/main | weighty |
    Then what was pushed can be cloned in protocol version 2
    And that took at most 240 megabytes of memory

  @G01-GIT-09.since
  Scenario Outline: a fetch of what is not older than the <commit> commit in protocol version <version>
    Given the lighthouse is served
    Then a fetch since the <commit> commit brings <count> commits in protocol version <version>, if that is offered

    Examples:
      | id        | commit | count | version |
      | third-v0  | third  | 1     | 0       |
      | second-v0 | second | 2     | 0       |
      | second-v2 | second | 2     | 2       |

  @G01-GIT-05.honored-v1
  Scenario Outline: the filter <filter> is honored in protocol version 1
    Given the lighthouse is served
    Then a clone with the filter <filter> in protocol version 1 holds 3 commits, <trees> trees and 0 files

    Examples:
      | id   | filter    | trees |
      | blob | blob:none | 4     |
      | tree | tree:0    | 0     |

  @G01-GIT-06.v1
  Scenario Outline: <object> can be asked for by id in protocol version <version> as well
    Given the lighthouse is served
    Then <object> of the lighthouse can be fetched by id in protocol version <version>

    Examples:
      | id          | object             | version |
      | ancestor-v1 | an ancestor commit | 1       |
      | blob-v0     | a file             | 0       |
      | tree-v2     | a tree             | 2       |
