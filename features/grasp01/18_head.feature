Feature: HEAD
  HEAD is the branch that the latest state names.

  @G01-HEAD-01
  Scenario Outline: HEAD follows the state after a push, seen in protocol version <version>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main  | second           |
      | refs/heads/trunk | first            |
      | HEAD             | refs/heads/trunk |
    When a client pushes:
      | refs/heads/main  | second |
      | refs/heads/trunk | first  |
    Then HEAD is refs/heads/trunk in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-HEAD-01.parts
  Scenario Outline: HEAD may name a branch of several parts, seen in protocol version <version>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main         | second                  |
      | refs/heads/release/main | first                   |
      | HEAD                    | refs/heads/release/main |
    When a client pushes:
      | refs/heads/main         | second |
      | refs/heads/release/main | first  |
    Then HEAD is refs/heads/release/main in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-HEAD-01.twins
  Scenario Outline: of branches at one commit HEAD is the one that the state names, seen in protocol version <version>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/alpha | first            |
      | refs/heads/main  | first            |
      | refs/heads/trunk | first            |
      | refs/heads/zeta  | first            |
      | HEAD             | refs/heads/trunk |
    When a client pushes:
      | refs/heads/alpha | first |
      | refs/heads/main  | first |
      | refs/heads/trunk | first |
      | refs/heads/zeta  | first |
    Then HEAD is refs/heads/trunk in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-HEAD-01.beside
  Scenario Outline: a state that moves HEAD to a branch that <is> moves it with the push of <what>
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    And the owner published the state:
      | refs/heads/main | <main>         |
      | refs/heads/dev  | side           |
      | <ref>           | <object>       |
      | HEAD            | refs/heads/dev |
    When a client pushes:
      | <ref> | <object> |
    Then the push succeeds
    And HEAD is refs/heads/dev in protocol version 0
    And HEAD is refs/heads/dev in protocol version 2

    Examples:
      | id     | is                | what           | main   | ref              | object |
      | branch | is there already  | another branch | first  | refs/heads/third | third  |
      | tag    | is there already  | a tag          | first  | refs/tags/v1     | tag    |

  @G01-HEAD-02
  Scenario: a state that only moves HEAD moves it without a push
    Given the owner's repository is served with:
      | refs/heads/main | second          |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    When the owner publishes the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    Then HEAD is refs/heads/dev in protocol version 0 within 5 seconds

  @G01-HEAD-02.twins
  Scenario: a state that moves HEAD to another branch of the same commit moves it without a push
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | refs/heads/dev  | first           |
      | HEAD            | refs/heads/main |
    When the owner publishes the state:
      | refs/heads/main | first          |
      | refs/heads/dev  | first          |
      | HEAD            | refs/heads/dev |
    Then HEAD is refs/heads/dev in protocol version 0 within 5 seconds
    And HEAD is refs/heads/dev in protocol version 2 within 5 seconds

  @G01-HEAD-02.maintainer
  Scenario: a maintainer's newer state that only moves HEAD moves it without a push
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | second          |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    And the maintainer announced the repository naming the owner
    When the maintainer publishes the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    Then HEAD is refs/heads/dev in protocol version 0 within 5 seconds

  @G01-HEAD-02.often
  Scenario: every state that moves HEAD moves it, and so does one that moves it back
    Given the owner's repository is served with:
      | refs/heads/main | second          |
      | refs/heads/dev  | side            |
      | refs/heads/old  | first           |
      | HEAD            | refs/heads/main |
    When the owner publishes the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | refs/heads/old  | first          |
      | HEAD            | refs/heads/dev |
    Then HEAD is refs/heads/dev in protocol version 0 within 5 seconds
    When the owner publishes the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | refs/heads/old  | first          |
      | HEAD            | refs/heads/old |
    Then HEAD is refs/heads/old in protocol version 0 within 5 seconds
    When the owner publishes the state:
      | refs/heads/main | second          |
      | refs/heads/dev  | side            |
      | refs/heads/old  | first           |
      | HEAD            | refs/heads/main |
    Then HEAD is refs/heads/main in protocol version 0 within 5 seconds

  @G01-HEAD-05
  Scenario: a clone starts on the branch of HEAD
    Given the owner's repository is served with:
      | refs/heads/alpha | side             |
      | refs/heads/trunk | second           |
      | HEAD             | refs/heads/trunk |
    Then HEAD is refs/heads/trunk in protocol version 2 within 5 seconds
    When a client clones the repository
    Then the clone is on the branch trunk at the commit second

  @G01-HEAD-03
  Scenario: HEAD stays where it is when the state points it to a branch that is not there
    Given the owner's repository is served with:
      | refs/heads/main | first          |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    And the owner published the state:
      | refs/heads/main | second             |
      | refs/heads/dev  | side               |
      | HEAD            | refs/heads/missing |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |

  @G01-HEAD-03.elsewhere
  Scenario: HEAD stays where it is when the state points it to what is no branch
    Given the owner's repository is served with:
      | refs/heads/main | first          |
      | refs/heads/dev  | side           |
      | refs/tags/v1    | first          |
      | HEAD            | refs/heads/dev |
    When the owner publishes an event of kind 30618 with the tags:
      | ["d","{identifier}"]           |
      | ["refs/heads/main","{second}"] |
      | ["refs/heads/dev","{side}"]    |
      | ["refs/tags/v1","{first}"]     |
      | ["HEAD","ref: refs/tags/v1"]   |
    Then the event is answered without a failure
    When a client pushes:
      | refs/heads/main | second |
    Then the push is accepted or refused
    And HEAD is refs/heads/dev in protocol version 0

  @G01-HEAD-04
  Scenario: HEAD stays where it is when the state does not name it
    Given the owner's repository is served with:
      | refs/heads/main | first          |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |

  @G01-HEAD-04.maintainer
  Scenario: HEAD stays where a maintainer's state has it when the owner's next one does not name it
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    And a client pushed:
      | refs/heads/main | second |
    And the repository has exactly:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    And the owner published the state:
      | refs/heads/main | third |
      | refs/heads/dev  | side  |
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the repository still has exactly:
      | refs/heads/main | third          |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |

  @G01-HEAD-06
  Scenario: a maintainer's newer state moves HEAD
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first           |
      | refs/heads/dev  | side            |
      | HEAD            | refs/heads/main |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And HEAD is refs/heads/dev in protocol version 0

  @G01-HEAD-01.dropped
  Scenario: a state that drops the branch of HEAD moves HEAD to the one that it names without a push
    Given the owner's repository is served with:
      | refs/heads/dev   | first          |
      | refs/heads/main  | second         |
      | refs/heads/trunk | side           |
      | HEAD             | refs/heads/dev |
    When the owner publishes the state:
      | refs/heads/main  | second           |
      | refs/heads/trunk | side             |
      | HEAD             | refs/heads/trunk |
    Then the event is accepted
    And HEAD is refs/heads/trunk in protocol version 0

  @G01-HEAD-01.late
  Scenario: HEAD moves to a branch that comes with a later state than the one that has named it first
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    And the owner published the state:
      | refs/heads/main | second         |
      | HEAD            | refs/heads/dev |
    And a client pushed:
      | refs/heads/main | second |
    And the owner published the state:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | HEAD            | refs/heads/dev |
    When a client pushes:
      | refs/heads/dev | side |
    Then the push succeeds
    And HEAD is refs/heads/dev in protocol version 0
    And HEAD is refs/heads/dev in protocol version 2
