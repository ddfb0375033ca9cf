Feature: Restarts
  An orderly stop and start loses nothing that was served, forgets nothing that was deleted, and leaves nothing behind.
  No sentence of the text asks for a disk, so that a server loses what it served is a SHOULD; what is there behind a start, or sent
  again, is judged as it is at any time, and a server that has lost its repositories is not judged by that.

  @G01-REL-01.restart @serial @needs:restart @score:should
  Scenario: what is said of a repository is there after a restart
    Given the contributor posted the issue "one"
    And the contributor posted a comment "two" on the issue "one"
    And the contributor published an article "three"
    And the stranger's patch on the lighthouse was accepted
    When the server restarts
    Then the event is still served
    And the issue "one" is still served
    And the issue "two" is still served
    And the event "three" is still served

  @G01-REL-01.dressed-restart @serial @further @needs:restart @score:should
  Scenario Outline: <what> in every dress are there after a restart
    Given <what> of the contributor in every dress were sent
    When the server restarts
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |
      | t dressed           | all of them |

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @N01-EV-01.characters-restart @serial @further @needs:restart
  Scenario: what is there after a restart is as it was signed, whatever characters it has
    Given issues of the contributor with characters of every sort were sent
    When the server restarts
    Then what is found of them is as it was signed

  @G01-REL-02.restart @serial @further @needs:restart
  Scenario Outline: <event> that names an accepted issue by <tag> is accepted behind a restart, too
    Given the stranger's issue on the lighthouse was accepted
    When the server restarts
    And the contributor publishes an event of kind <kind> with the tags:
      | ["<tag>","{root}"] |
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event     | kind | tag |
      | comment | a comment | 1111 | E   |
      | note    | a note    | 1    | e   |
      | quote   | an issue  | 1621 | q   |

  @G01-REL-03.restart @serial @further @needs:restart
  Scenario Outline: a note that an accepted issue names by <tag> is accepted behind a restart, too
    Given the stranger's issue names a note of the contributor by <tag>
    When the server restarts
    And the contributor publishes that note
    Then the event is accepted
    And the event is served

    Examples:
      | id    | tag |
      | e     | e   |
      | quote | q   |

  @G01-GIT-01.restart @serial @needs:restart @score:should
  Scenario: a served repository is there after a restart, and so is that of somebody else by the same identifier
    Given the stranger's repository is served with:
      | refs/heads/main | unrelated |
    And the owner's repository is served with:
      | refs/heads/main | second         |
      | refs/heads/dev  | side           |
      | refs/tags/v1    | tag            |
      | HEAD            | refs/heads/dev |
    And the contributor published a pull request of the commit third
    And a client pushed the commit third for the pull request
    And the pull request is served
    When the server restarts
    Then the announcement is still served
    And the state is still served
    And the pull request is still served
    And the repository still has exactly:
      | refs/heads/main           | second         |
      | refs/heads/dev            | side           |
      | refs/tags/v1              | tag            |
      | refs/nostr/{pull request} | third          |
      | HEAD                      | refs/heads/dev |
    And the stranger's repository still has exactly:
      | refs/heads/main | unrelated |
    When the server restarts
    Then the announcement is still served
    And the state is still served
    And the pull request is still served
    And the repository still has exactly:
      | refs/heads/main           | second         |
      | refs/heads/dev            | side           |
      | refs/tags/v1              | tag            |
      | refs/nostr/{pull request} | third          |
      | HEAD                      | refs/heads/dev |
    And the stranger's repository still has exactly:
      | refs/heads/main | unrelated |

  @N09-05.restart @serial @needs:restart
  Scenario: what was deleted by id is refused after a restart
    Given the contributor posted the issue "mistake"
    And the contributor's request to delete the issue "mistake" is taken
    When the server restarts
    Then the issue "mistake" is not served any more
    When the contributor posts the issue "mistake" again
    Then the event is refused
    And the issue "mistake" is not served any more
    But a younger issue by the contributor is accepted

  @N09-05.restart-address @serial @needs:restart
  Scenario: what was deleted by address is refused after a restart
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the contributor asks to delete the event "current" by address dated 300
    Then the event is accepted, or such events are not taken
    When the server restarts
    And the contributor publishes an article "current" dated 200
    Then the event is refused
    And the event "current" is not served any more
    But an article "newer" dated 400 by the contributor is accepted

  @N09-05.restart-held @serial @further @needs:restart
  Scenario: a state that was deleted while it waited is refused after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the owner's request to delete the state is taken
    When the server restarts
    And the owner sends the state again
    Then the event is refused
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @N09-05.restart-repository @serial @needs:restart
  Scenario: a deleted announcement is refused after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner's request to delete the announcement is taken
    And the announcement is not served any more
    When the server restarts
    Then the announcement is not served any more
    When the owner sends the announcement once more
    Then the event is refused
    And the announcement is not served any more
    But the same announcement listing this service is accepted

  @G01-PUSH-01.restart @serial @further @needs:restart
  Scenario: a state that waited before a restart and is sent again authorizes its push
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the server restarts
    And the owner sends the state again
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-PUSH-13.restart @serial @further @needs:restart
  Scenario: a maintainer's state that waited before a restart and is sent again authorizes its push
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state:
      | refs/heads/main | second |
    When the server restarts
    And the maintainer sends the state again
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-PURG-07.restart @serial @further @needs:restart
  Scenario: a state that waited before a restart is served when its data has come behind it
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the server restarts
    Then what waits is known after a restart, or nothing is here
    And the state is served

  @G01-GIT-01.again @serial @further @needs:restart
  Scenario: an announcement that waited before a restart and is sent again has its repository
    Given the owner announced the repository
    When the server restarts
    And the owner sends the announcement again
    Then the event is accepted
    And the repository answers git and is empty
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served

  @G01-PR-04.restart @serial @further @needs:restart
  Scenario: a pull request that waited before a restart and is sent again is served by its commit
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    When the server restarts
    And the contributor sends the pull request again
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-DEL-01.restart @serial @further @needs:restart @needs:held=30618
  Scenario: a held state that was deleted authorizes no push behind a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the owner asks to delete the state by id
    And the server restarts
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @N01-REP-01.restart @serial @further @needs:restart
  Scenario: what was replaced does not come back with a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository with:
      | description | another description |
    And the announcement is served
    And the owner published the state:
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the state is served
    When the server restarts
    Then the announcement is still served
    And the state is still served
    And the repository still has exactly:
      | refs/heads/main | second |

  @N01-REP-01.restart-older @serial @further @needs:restart
  Scenario: a version that is older than what is here replaces nothing behind a restart
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the server restarts
    And the contributor publishes an article "older" dated 100
    Then the event "older" is not served
    And the event "current" is still served

  @G01-LAT-01.restart-loser @serial @further @needs:restart
  Scenario: a state of the time of one that is here and of a lower id counts behind a restart, too
    Given the owner announced the repository
    And the higher of two states of one time by the owner arrived
    And a client pushed what the state with the higher id says
    When the server restarts
    And the lower of two states of one time by the owner arrives
    Then the repository comes to have what the state with the lower id says
    And the repository still has exactly what the state with the lower id says

  @G01-LAT-01.restart-winner @serial @further @needs:restart
  Scenario: a state of the time of one that is here and of a higher id counts for nothing behind a restart, either
    Given the owner announced the repository
    And the lower of two states of one time by the owner arrived
    And a client pushed what the state with the lower id says
    When the server restarts
    And the higher of two states of one time by the owner arrives
    Then the repository still has exactly what the state with the lower id says
    When a client pushes what the state with the higher id says
    Then the push is refused
    And the repository still has exactly what the state with the lower id says
    But the same push is accepted once the owner published such a state

  @G01-LAT-01.restart-authors @serial @further @needs:restart
  Scenario Outline: the later state of <one> is what counts behind a restart, too
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the <other> published the state dated 100:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the <one> published the state dated 200:
      | refs/heads/main | side |
    And a client pushed:
      | refs/heads/main | side |
    When the server restarts
    Then the repository still has exactly:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the repository still has exactly:
      | refs/heads/main | side |
    But the same push is accepted once the <other> published the state dated 300:
      | refs/heads/main | first |

    Examples:
      | id         | one        | other      |
      | maintainer | maintainer | owner      |
      | owner      | owner      | maintainer |

  @G01-ANN-14.restart @serial @further @needs:restart
  Scenario: the chain of maintainers goes through an announcement that does not list this service behind a restart, too
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the maintainer announces the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | wss://relay.example.invalid                         |
      | maintainers | {owner}, {second maintainer}                        |
    Then the event is accepted
    And the second maintainer announced the repository naming the maintainer
    When the server restarts
    And the second maintainer publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds

  @G01-PURG-11.restart @serial @further @needs:restart @needs:held=30618 @wait:36m
  Scenario: a state that waited before a restart is discarded after half an hour
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When the server restarts
    And 36 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PR-08.restart-update @serial @further @needs:restart
  Scenario: a served update and its ref are there after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published an update of the commit side
    And a client pushed the commit side for the update
    And the update is served
    When the server restarts
    Then the update is still served
    And the repository still has exactly:
      | refs/heads/main     | first |
      | refs/nostr/{update} | side  |

  @G01-PR-08.restart-late @serial @further @needs:restart @wait:26m
  Scenario Outline: the ref of a served <event> stays for good behind a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <form> of the commit side
    And a client pushed the commit side for the <event>
    And the <event> is served
    When the server restarts
    And 26 minutes pass
    Then the <event> has its ref at the commit side
    And the <event> is still served

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PR-11.restart @serial @further @needs:restart
  Scenario Outline: the ref of an accepted pull request is not for others to <act> behind a restart, either
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the stranger drafted a pull request "other" of the commit second
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When the server restarts
    And a client pushes:
      | refs/nostr/{pull request} | <object> |
    Then the push is refused
    But this push is accepted:
      | refs/nostr/{pull request other} | second |

    Examples:
      | id     | act    | object   |
      | move   | move   | second   |
      | delete | delete | (delete) |

  @G01-PR-07.restart-late @serial @further @needs:restart @wait:36m
  Scenario: a restart gives a ref that waits for its event no more time than it had
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When 12 minutes pass
    And the server restarts
    And another 14 minutes pass
    Then the pull request has no ref

  @G01-PURG-11.restart-late @serial @further @needs:restart @needs:held=30618 @wait:36m
  Scenario: a restart gives a state that waits no more time than it had
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 19 minutes pass
    And the server restarts
    And another 17 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @N40-01.restart @serial @further @needs:restart
  Scenario: an event expires behind a restart, too
    Given the contributor posted the issue "lasting", which expires in 3600 seconds
    And the contributor posted the issue "short", which expires in 5 seconds
    When the server restarts
    And its expiration passes
    Then the issue "short" is not served any more
    And the issue "lasting" is still served

  @G01-PR-07.restart @serial @needs:restart
  Scenario: a ref that waits for its pull request is there after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the server restarts
    Then what waits is known after a restart, or nothing is here
    And the pull request has its ref at the commit side
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served
    And the pull request has its ref at the commit side

  @G01-PR-08.restart @serial @needs:restart @wait:26m
  Scenario: the ref of a merged pull request stays after a restart
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    And a client pushed the commit second for the pull request
    And the owner published the state:
      | refs/heads/main | third |
    And a client brought what was missing of:
      | refs/heads/main | third |
    When the server restarts
    Then the pull request has its ref at the commit second
    When 26 minutes pass
    Then the pull request has its ref at the commit second
    And the pull request is still served

  Scenario Outline: the repository of an announcement that waited when the server <ended> is gone after half an hour
    Given the owner announced the repository, which waits
    When the server <ended>
    And 36 minutes pass
    Then the announcement is not served
    And the owner's repository is not there

    @G01-GIT-10.life @serial @needs:restart @wait:36m
    Examples:
      | id      | ended    |
      | restart | restarts |

    @G01-GIT-10.life @serial @needs:kill @wait:36m
    Examples:
      | id    | ended   |
      | crash | crashes |
