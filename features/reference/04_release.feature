Feature: How what is held gets its data
  Rules of the reference server.

  @REF-PURG-18
  Scenario: data of an older state releases it while a newer one waits
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state "old" dated 100:
      | refs/heads/main | side |
    And the maintainer published the state "new" dated 200:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the state "old" is served
    And the state "new" is not served
    And the repository has exactly:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state "new" is served
    And the repository still has exactly:
      | refs/heads/main | second |

  @REF-PURG-18.newer-first
  Scenario: data of an older state does not move refs back
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state "old" dated 100:
      | refs/heads/main | side |
    And the maintainer published the state "new" dated 200:
      | refs/heads/main | second |
    And a client pushed:
      | refs/heads/main | second |
    And the state "old" is not served
    And the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the state "old" is served
    And the repository still has exactly:
      | refs/heads/main | second |

  @REF-PURG-18.both
  Scenario: data of two states at once releases both, and the newer one decides
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state "old" dated 100:
      | refs/heads/main | second |
    And the maintainer published the state "new" dated 200:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "old" is served
    And the state "new" is served
    And the repository still has exactly:
      | refs/heads/main | third |

  @REF-PURG-18.many
  Scenario: any number of states may wait
    Given the owner announced the repository
    And 20 states of the owner wait, the last one with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @REF-PURG-19
  Scenario: the wrong ref goes when the pull request comes, and the right one releases it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit second for the pull request
    When the contributor publishes the pull request
    Then the event is accepted, waiting for git data
    And the pull request has no ref
    And the pull request is not served
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request has its ref at the commit side
    And the pull request is served

  @REF-PURG-19.right
  Scenario: the right ref stays when the pull request comes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the contributor publishes the pull request
    Then the event is accepted, waiting for nothing
    And the pull request has its ref at the commit side
    And the pull request is served

  @REF-PURG-20
  Scenario Outline: <what> promotes nothing
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When <what> comes
    Then the announcement is not served
    And the state is not served
    And this push is accepted:
      | refs/heads/main | first |
    And the announcement is served

    Examples:
      | id        | what                                       |
      | empty     | a push of nothing                          |
      | broken    | a push of half a pack                      |
      | nostr-ref | a push to the ref of an unknown event     |
      | refused   | a push that no state authorizes            |

  @REF-PURG-20.other
  Scenario: the release of another owner's state promotes nothing
    Given the owner announced the repository
    And the stranger's repository is served with:
      | refs/heads/main | first |
    Then nothing by the owner is served
    When the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @REF-PURG-20.nothing-declared
  Scenario: a state that declares nothing promotes nothing
    Given the owner announced the repository
    When the owner publishes the state:
      | HEAD | refs/heads/main |
    Then nothing by the owner is served
    When the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served

  @REF-PURG-21
  Scenario Outline: of two announcements of one time the lower id is kept, the <order> one first
    Given two versions of the owner's announcement of one time arrive, the <order> id first
    When the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And only the version with the lower id is served

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @REF-PURG-21.stored
  Scenario Outline: of two versions of a served announcement the lower id is kept, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When two versions of the owner's announcement of one time arrive, the <order> id first
    Then only the version with the lower id is served

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @REF-PURG-21.push
  Scenario Outline: of two states of one time the lower id authorizes, the <order> one first
    Given the owner announced the repository
    And two states of one time by the owner arrived, the <order> id first
    When a client pushes what the state with the lower id says
    Then the push succeeds

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @REF-PURG-21.refs
  Scenario Outline: of two states whose data is there the lower id decides, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main  | first  |
      | refs/heads/other | second |
      | refs/heads/dev   | side   |
    When two states of one time by the owner arrived, the <order> id first
    Then the repository follows the state with the lower id

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @REF-PURG-22
  Scenario: a stranger's announcement takes no state along that the owner's announcement authorizes
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger announced the repository naming the owner
    When the stranger's request to delete the announcement is taken
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @REF-PURG-22.withdrawal
  Scenario: nor does one that is withdrawn
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger announced the repository naming the owner
    When the stranger announces the repository with:
      | clone  | https://elsewhere.example/x.git |
      | relays | wss://elsewhere.example         |
    Then the event is answered without a failure
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @REF-PURG-22.alone
  Scenario: a state that nobody else authorizes goes with its announcement
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner's request to delete the announcement is taken
    And the owner announced the repository
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @REF-PURG-23
  Scenario: a held event that was deleted does not come back
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner's request to delete the state is taken
    And the owner sends the state again
    Then the event is refused
    And the same state by the owner is accepted

  @REF-PURG-23.unseen
  Scenario: an event that was deleted before it came is refused
    Given the owner announced the repository
    And the owner asked for the deletion of a state before sending it:
      | refs/heads/main | first |
    When the owner sends the state again
    Then the event is refused
    And the same state by the owner is accepted

  @REF-PURG-23.address
  Scenario: a version that is older than the deletion of its address is refused
    Given the owner announced the repository
    And the owner asked for the deletion of all earlier states
    When the owner sends a state dated before that:
      | refs/heads/main | first |
    Then the event is refused
    And the same state by the owner is accepted
