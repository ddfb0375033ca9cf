Feature: Object ids in states
  A state names objects by their whole ids in lower case. Whatever else git would resolve, with the object there, moves nothing.

  @N34-ST-04.there
  Scenario Outline: an entry that is <what> is not applied, though the object is there
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    When the owner sends the state:
      | refs/heads/main | first   |
      | refs/heads/dev  | side    |
      | refs/heads/evil | <value> |
    Then the repository still has exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And a client pushes:
      | refs/heads/evil | side |
    And the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
      | refs/heads/evil | side  |

    Examples:
      | id       | what                     | value                      |
      | four     | an id of 4 digits        | (side, 4 digits)           |
      | seven    | an id of 7 digits        | (side, 7 digits)           |
      | short    | an id of 39 digits       | (side, 39 digits)          |
      | long     | an id of 41 digits       | (side, 41 digits)          |
      | upper    | an id in upper case      | (side, in upper case)      |
      | commit   | an id with a type        | (side, itself as a commit) |
      | blank    | an id behind a blank     | (side, behind a blank)     |
      | end      | an id before a blank     | (side, before a blank)     |
      | line     | an id before a line feed | (side, before a line feed) |
      | word     | an id behind a word      | (side, behind a word)      |
      | x        | an id behind 0x          | (side, behind an x)        |
      | branch   | the name of a branch     | refs/heads/dev             |
      | name     | a short name             | (git dev)                  |
      | symbolic | a symbolic ref           | (git ref: refs/heads/dev)  |
      | reflog   | an entry of a reflog     | (git dev@{0})              |
      | search   | a search                 | (git :/side)               |

  @N34-ST-04.elsewhere
  Scenario Outline: an entry that is <what> makes no branch
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |
    When the owner sends the state:
      | refs/heads/main | second  |
      | refs/heads/evil | <value> |
      | refs/tags/v1    | tag     |
    Then the repository still has exactly:
      | refs/heads/main | second |
      | refs/tags/v1    | tag    |

    Examples:
      | id     | what                    | value                        |
      | parent | the parent of a commit  | (second, its parent)         |
      | tree   | the tree of a commit    | (second, its tree)           |
      | peeled | what a tag points to    | (tag, itself as a commit)    |
      | head   | HEAD                    | (git HEAD)                   |
      | at     | HEAD in one letter      | (git @)                      |
      | tag    | a tag                   | refs/tags/v1                 |
      | seven  | an id of 7 digits       | (second, 7 digits)           |
      | upper  | an id in upper case     | (second, in upper case)      |
