@client:git @further @live-only @because:needs-sockets
Feature: Stock git
  What people do with the git that they have installed works, in every version of its protocol, and tells them why where it
  does not.

  @G01-PUSH-01.git
  Scenario Outline: git pushes the first state into an empty repository in protocol version <version>
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    When git pushes in protocol version <version>:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
    Then git's push succeeds
    And the repository has exactly:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |

    Examples:
      | id | version |
      | v0 | 0       |
      | v2 | 2       |

  @G01-GIT-02.git
  Scenario: git lists and clones in every version of its protocol
    Given the owner's repository is served with:
      | HEAD            | refs/heads/main |
      | refs/heads/main | second          |
      | refs/heads/dev  | side            |
      | refs/tags/v1    | tag             |
    Then git lists in protocol version 0:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v1^{} | first  |
    And git clones the repository in protocol version 0, on the branch main at the commit second
    And git lists in protocol version 1:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v1^{} | first  |
    And git clones the repository in protocol version 1, on the branch main at the commit second
    And git lists in protocol version 2:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v1^{} | first  |
    And git clones the repository in protocol version 2, on the branch main at the commit second

  @G01-GIT-02.git-rounds
  Scenario: git brings a clone with many commits of its own up to date
    Given the owner's repository is served with:
      | refs/heads/main | third |
    Then git brings a clone with 200 commits of its own up to date in protocol version 0, at the commit third
    And git brings a clone with 200 commits of its own up to date in protocol version 2, at the commit third

  @G01-HEAD-01.git
  Scenario: a clone by git is on the branch that the state names, among others at its commit
    Given the owner's repository is served with:
      | refs/heads/main | first          |
      | refs/heads/dev  | first          |
      | HEAD            | refs/heads/dev |
    Then HEAD is refs/heads/dev in protocol version 0
    And git clones the repository in protocol version 2, on the branch dev at the commit first

  @G01-PUSH-07.git
  Scenario: git deletes a branch and moves another in one push
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | second |
    When git pushes in protocol version 2:
      | refs/heads/main | second   |
      | refs/heads/dev  | (delete) |
    Then git's push succeeds
    And the repository has exactly:
      | refs/heads/main | second |

  @G01-PUSH-28.git
  Scenario: git shows why a push is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When git pushes in protocol version 2:
      | refs/heads/dev | side |
    Then git's push is refused
    And git shows the reason
    But git's push is accepted once the owner published the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |

  @G01-PUSH-28.git-long
  Scenario: git shows why a push of very many branches is refused
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When git pushes 500 branches in protocol version 2
    Then git's push is refused
    And git shows the reason
    But git's push is accepted once the owner published a state of 500 branches

  @G01-PUSH-19.git
  Scenario: git pushes from a clone of depth 1
    Given the owner's repository is served with:
      | refs/heads/main | second          |
      | HEAD            | refs/heads/main |
    And the owner published the state:
      | refs/heads/main | third           |
      | HEAD            | refs/heads/main |
    When git pushes from a clone of depth 1 in protocol version 2:
      | refs/heads/main | third |
    Then git's push succeeds
    And git clones the repository in protocol version 2, on the branch main at the commit third

  @G01-PUSH-19.git-refused
  Scenario: git's push from a clone of depth 1 is refused without the state
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When git pushes from a clone of depth 1 in protocol version 2:
      | refs/heads/main | third |
    Then git's push is refused
    But git's push is accepted once the owner published the state:
      | refs/heads/main | third |

  @G01-PUSH-24.git @G01-GIT-19
  Scenario: git's push of five megabytes, and a clone of them, work, or git shows the reason
    Given the owner's repository is served with:
      | refs/heads/main | first           |
      | HEAD            | refs/heads/main |
    And the owner published the state:
      | refs/heads/main | bulky           |
      | HEAD            | refs/heads/main |
    When git pushes in protocol version 2:
      | refs/heads/main | bulky |
    Then git's push works or git shows the reason
    And git clones what was pushed in protocol version 2, at the commit bulky

  @G01-GIT-05.git
  Scenario: git clones without files, which the checkout then brings
    Given the owner's repository is served with:
      | refs/heads/main | second |
    Then git clones without files in protocol version 2, and gets those of the commit second at the checkout

  @G01-GIT-09.git
  Scenario: git makes a clone of depth 1 whole
    Given the owner's repository is served with:
      | refs/heads/main | third |
    Then git makes a clone of depth 1 whole in protocol version 0, which then has 3 commits
    And git makes a clone of depth 1 whole in protocol version 2, which then has 3 commits

  @G01-GIT-15.git
  Scenario: git clones an empty repository
    Given the owner announced the repository
    Then git clones the empty repository in protocol version 0
    And git clones the empty repository in protocol version 2

  @G01-PR-01.git
  Scenario: git pushes and fetches the ref of a pull request
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    When git pushes in protocol version 2:
      | refs/nostr/{pull request} | side |
    Then git's push succeeds
    And git fetches refs/nostr/{pull request} in protocol version 2, at the commit side
