Feature: What is at a place for pull requests stays there (GRASP-06)
  A place is one signer's for one identifier. Nothing that happens there happens elsewhere, but that the ref of a pull request comes to
  the repositories which that names; and no other place is meant by one's URL.

  @G06-PUSH-01.near
  Scenario Outline: the place for nearly the same identifier is another one: <form>
    Given the contributor drafted a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the contributor's place for pull requests is empty where the identifier is <form>
    And the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request} | side |

    Examples:
      | id     | form                    |
      | case   | in upper case           |
      | suffix | with .git behind it     |
      | dash   | with a dash behind it   |

  @G06-PUSH-01.held
  Scenario: what waits for git data is not released by what is pushed to a place
    Given the owner announced the repository, which waits
    And the owner published the state:
      | refs/heads/main | second |
    And the owner drafted a pull request of the commit side, at its place
    When a client pushes to the owner's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the announcement is not served
    And the state is not served
    But this push is accepted:
      | refs/heads/main | second |

  @G06-PUSH-01.restart @serial @needs:restart @score:should
  Scenario: what is at a place is there after a restart, and its event makes it served
    Given the contributor drafted a pull request of the commit side, at its place
    And a client pushed to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    When the server restarts
    Then the contributor's place for pull requests has exactly:
      | refs/nostr/{pull request} | side |
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served

  @G06-EV-02.named
  Scenario Outline: a pull request to a repository that is not here is refused with <place>
    When the contributor publishes a pull request of the commit side, at <place>
    Then the event is refused
    And the pull request is not served
    But the same pull request of the commit side, at its place, is accepted

    Examples:
      | id       | place                                  |
      | user     | its host as a user of another one      |
      | path     | its place in the path of another host  |
      | argument | its place in a query of another host   |
      | fragment | its place with a fragment              |

  @G06-MIR-01.named
  Scenario: a released ref comes to no repository that its event does not name
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, at its place
    When a client pushes to the contributor's place for pull requests:
      | refs/nostr/{pull request} | side |
    Then the push succeeds
    And the pull request is served
    And the pull request has its ref at the commit side
    And the stranger's repository shows nothing of the pull request
