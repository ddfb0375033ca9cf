Feature: Requests to vanish
  A key can have everything that it has published removed.

  @N62-01
  Scenario Outline: everything by a key that asks to vanish from <relays> is removed
    Given the contributor posted the issue "one"
    And the contributor published an article "two"
    And the stranger posted the issue "three"
    When the contributor asks to vanish from <relays>
    Then the event is accepted
    And the issue "one" is not served any more
    And the event "two" is not served any more
    And the issue "three" is still served

    Examples:
      | id   | relays     |
      | this | this relay |
      | all  | all relays |

  @N62-01.bare
  Scenario: a request to vanish whose relay tags name no relay removes nothing
    Given the contributor posted the issue "one"
    When the contributor publishes an event of kind 62 with the tags:
      | ["relay"]                                |
      | ["relay",""]                             |
      | ["relay","wss://relay.example.invalid/"] |
      | ["r","ALL_RELAYS"]                       |
    Then the event is answered without a failure
    And the issue "one" is still served

  @N62-01.among
  Scenario: a request to vanish that names this relay behind another one is one
    Given the contributor posted the issue "one"
    When the contributor publishes an event of kind 62 with the tags:
      | ["relay","wss://relay.example.invalid/"] |
      | ["relay","{own relay}"]                  |
    Then the event is accepted
    And the issue "one" is not served any more

  @N62-01.again
  Scenario: what has vanished is refused when it is sent again
    Given the contributor posted the issue "one"
    And the contributor vanished from this relay
    When the contributor posts the issue "one" again
    Then the event is refused
    And the issue "one" is not served any more
    But a younger issue by the contributor is accepted

  @N62-01.deletions
  Scenario: a deletion request of a key that asks to vanish is removed too
    Given the contributor posted the issue "one"
    And the contributor's request to delete the issue "one" is taken
    When the contributor vanished from this relay
    Then the deletion request before it is not served any more
    When the contributor posts the issue "one" again
    Then the event is refused
    But a younger issue by the contributor is accepted

  @N62-01.request-again
  Scenario: a deletion request that has vanished does not come back when it is sent again
    Given the contributor posted the issue "one"
    When the contributor publishes an event of kind 5 "asking" dated 100 with the tags:
      | ["a","30617:{contributor}:{identifier}"] |
      | ["k","30617"]                            |
    Then the event is answered without a failure
    And the contributor vanished from this relay
    And the issue "one" is not served any more
    When the contributor sends the event "asking" again
    Then the event is answered without a failure
    And the event "asking" is not served any more

  @N62-01.younger
  Scenario: a request to vanish spares what is newer than it
    Given the contributor posted the issue "old" dated 100
    And the contributor posted the issue "young" dated 300
    When the contributor asks to vanish from this relay dated 200
    Then the event is accepted
    And the issue "old" is not served any more
    And the issue "young" is still served

  @N62-01.back
  Scenario: a key that has vanished can have a repository again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner vanished from this relay
    When the owner announces the repository
    Then the event is accepted
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @N62-01.second
  Scenario: a request to vanish covers what is of its very second
    Given the contributor posted the issue "one" dated 200
    And the contributor published an article "two" dated 200
    When the contributor asks to vanish from this relay dated 200
    Then the event is accepted
    And the issue "one" is not served any more
    And the event "two" is not served any more

  @N62-01.second-held
  Scenario: a request to vanish covers a state of its very second that waits
    Given the owner and the maintainer announced the repository, naming each other
    And the maintainer published the state dated 200:
      | refs/heads/main | first |
    When the maintainer asks to vanish from this relay dated 200
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state dated 300:
      | refs/heads/main | first |

  @N62-01.slash @score:should
  Scenario: a request to vanish names this relay with a slash behind it, too
    Given the contributor posted the issue "one"
    When the contributor asks to vanish from this relay, with a slash behind it
    Then the event is accepted
    And the issue "one" is not served any more

  @N62-01.unseen @score:should
  Scenario: what is older than a request to vanish is not taken when it comes behind it for the first time
    Given the contributor vanished from this relay dated 300
    When the contributor publishes an article "old" dated 200
    Then the event "old" is not served
    When the contributor publishes an article "young" dated 400
    Then the event is accepted
    And the event "young" is still served

  @N62-01.maintainer
  Scenario: the state of a maintainer who asks to vanish authorizes nothing any more
    Given the owner and the maintainer announced the repository, naming each other
    And the maintainer published the state:
      | refs/heads/main | first |
    When the maintainer vanished from this relay
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | first |

  @N62-01.owner
  Scenario: what others have signed stays when an owner asks to vanish whose repository it is for, too
    Given the owner and the maintainer announced the repository, naming each other
    And the maintainer published the state:
      | refs/heads/main | first |
    And a client pushed to the maintainer's repository:
      | refs/heads/main | first |
    And the state is served
    When the owner asks to vanish from this relay
    Then the event is accepted
    And the state is still served
    And the maintainer's repository has exactly:
      | refs/heads/main | first |

  @N62-01.elsewhere
  Scenario: a request to vanish from another relay removes nothing here
    Given the contributor posted the issue "one"
    When the contributor asks to vanish from another relay
    Then the issue "one" is still served
    But the same request by the contributor for this relay takes effect on the issue "one"

  @N62-01.next-door @score:should
  Scenario: a request to vanish from another relay on this host removes nothing here
    Given the contributor posted the issue "one"
    When the contributor asks to vanish from another relay on this host
    Then the issue "one" is still served
    But the same request by the contributor for this relay takes effect on the issue "one"

  @N62-01.held
  Scenario: what waits for git data vanishes too
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner vanished from this relay
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the owner's repository is not there
    And the announcement is not served
    And the state is not served
    But the same push is accepted once the owner announced the repository and published the state:
      | refs/heads/main | first |

  @N62-01.younger-held
  Scenario: a request to vanish spares what waits and is newer than it
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner asks to vanish from this relay dated 0
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @N62-01.held-part
  Scenario: what waits for git data vanishes too when another part of it was deleted
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the owner's request to delete the state is taken
    When the owner asks to vanish from this relay
    Then the event is accepted
    And the owner's repository is not there
    And the announcement is not served

  @N62-01.held-pull
  Scenario: a pull request that waits vanishes too
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    When the contributor asks to vanish from this relay
    Then the event is accepted
    When a client pushes the commit second for the pull request
    Then the push is accepted or refused
    And the pull request is not served

  @N62-01.held-update
  Scenario: an update that waits vanishes too
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published an update of the commit second
    When the contributor asks to vanish from this relay
    Then the event is accepted
    When a client pushes the commit second for the update
    Then the push is accepted or refused
    And the update is not served

  @N62-01.served-pull
  Scenario Outline: a served <event> vanishes too
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <form> of the commit second
    And a client pushed the commit second for the <event>
    And the <event> is served
    When the contributor asks to vanish from this relay
    Then the event is accepted
    And the <event> is not served any more

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @N62-01.strangers
  Scenario: nothing of others that waits for git data vanishes
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And the stranger announced the repository
    When the stranger vanished from all relays
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the state is served

  @N62-01.served
  Scenario: the announcement of a key that asks to vanish is not served any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to vanish from this relay
    Then the announcement is not served any more
    And the state is not served any more
    And it is recorded whether the repository has exactly:
      | refs/heads/main | first |

  @N62-01.restart @serial @needs:restart
  Scenario: what has vanished stays away over a restart
    Given the contributor posted the issue "one"
    And the contributor vanished from this relay
    When the server restarts
    And the contributor posts the issue "one" again
    Then the event is refused
    And the issue "one" is not served any more
    But a younger issue by the contributor is accepted
