Feature: Histories
  What several clients see of a repository at the same time has an order in which a server could have done it all, one thing after
  the other: answers, push reports, advertisements and queries are as some order of the signed states would have them.

  @G01-PUSH-25.history @G01-PUSH-26
  Scenario: what racing clients see of pushes and states has an order
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When 4 clients race with pushes and states by the owner
    Then some order of the signed states explains what the clients saw

  @G01-PURG-17.history @score:should
  Scenario: in a race the latest state that was taken is the one that authorizes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When 4 clients race with pushes and states by the owner
    Then some order of the signed states explains what the clients saw, of which the latest alone authorizes

  @G01-LAT-02.history
  Scenario: in a race of two authors no older state comes back
    Given the maintainer announced the repository naming the owner
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When 4 clients race with pushes and states by the owner and the maintainer
    Then some order of the signed states explains what the clients saw

  @G01-LAT-02.history-restart @serial @needs:restart
  Scenario: in a race of two authors no older state comes back with a restart
    Given the maintainer announced the repository naming the owner
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When 4 clients race with pushes and states by the owner and the maintainer while the server restarts
    Then some order of the signed states explains what the clients saw

  @G01-DEL-01.history
  Scenario: in a race a held state that was deleted authorizes no push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When 4 clients race with pushes, states and deletions by the owner
    Then some order of the signed states explains what the clients saw, of which those that were deleted while they waited authorize nothing
