@client:git @further @live-only @because:needs-sockets
Feature: Stock git for members (GRASP-08)
  A member gives git one header, http.extraHeader, and works as everywhere else. Without it git is turned away.

  Background:
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |

  @G08-05.git
  Scenario Outline: git of a member clones in protocol version <version>
    When git with no token clones the owner's repository in protocol version <version>
    Then git is turned away
    But git with the owner's token does that, and has the commit first

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G08-05.git-push
  Scenario: git of a member pushes what a state names
    Given a state of the owner, for members, names:
      | refs/heads/main | second |
    When git with no token pushes to the owner's repository:
      | refs/heads/main | second |
    Then git is turned away
    But git with the owner's token does that, and the refs are there

  @G08-06.git
  Scenario: git of a stranger learns nothing
    When git with the stranger's token clones the owner's repository in protocol version 2
    Then git is turned away
    But git with the owner's token does that, and has the commit first
