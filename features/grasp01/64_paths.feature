Feature: Paths
  Below its npub and identifier a repository is smart HTTP and a page, and nothing else; no escape leads out of it.

  @G01-GIT-01.smart
  Scenario Outline: the dumb protocol is not spoken: <file>
    Given the lighthouse is served
    When a visitor asks for the malformed path /{npub}/{d}.git/<file>
    Then the answer shows nothing of the repository
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id              | file                         |
      | head            | HEAD                         |
      | packs           | objects/info/packs           |
      | alternates      | objects/info/alternates      |
      | http-alternates | objects/info/http-alternates |
      | object          | objects/{tip}                |
      | empty           | info/refs?service=           |
      | config          | config                       |
      | description     | description                  |
      | packed          | packed-refs                  |
      | branch          | refs/heads/main              |
      | hook            | hooks/update.sample          |
      | log             | logs/HEAD                    |
      | index           | objects/pack/                |
      | folder          | refs/                        |

  @G01-GIT-16.known @hostile
  Scenario Outline: no escape leads from below a key that is known here to <what>
    Given the lighthouse is served
    And the stranger's repository is served with:
      | refs/heads/main | first |
    Then no path below the stranger's key leads to <what>
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id         | what                      |
      | repository | another's repository      |
      | files      | the files of a repository |
      | machine    | the files of the machine  |

  @G01-GIT-16.held @hostile
  Scenario Outline: no escape leads from below a key whose repository waits to <what>
    Given the lighthouse is served
    And the stranger announced the repository
    Then no path below the stranger's key leads to <what>
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id         | what                      |
      | repository | another's repository      |
      | files      | the files of a repository |
      | machine    | the files of the machine  |

  @G01-GIT-16.push @hostile
  Scenario Outline: a push by an escaped path moves nothing, though the owner has signed it: <escape>
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes to the owner's repository by a path below the stranger's key with <escape>:
      | refs/heads/main | second |
    Then the push changes nothing
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id        | escape             |
      | slash     | an escaped slash   |
      | all       | everything escaped |
      | backslash | a backslash        |
      | twice     | two escapes        |

  @G01-GIT-16.signed @hostile
  Scenario Outline: a push by an escaped path moves nothing of another, though its own key has signed it: <escape>
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger published the state:
      | refs/heads/main | second |
    When a client pushes to the owner's repository by a path below the stranger's key with <escape>:
      | refs/heads/main | second |
    Then the push changes nothing
    And the owner published the state:
      | refs/heads/main | second |
    But this push is accepted:
      | refs/heads/main | second |

    Examples:
      | id        | escape             |
      | slash     | an escaped slash   |
      | all       | everything escaped |
      | backslash | a backslash        |
      | twice     | two escapes        |
