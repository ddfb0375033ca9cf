Feature: Purgatory
  Announcements and states wait, unserved, for their git data.

  @G01-PURG-01
  Scenario: a new announcement is accepted and waits
    When the owner announces the repository
    Then the event is accepted, waiting for git data
    And the announcement is not served

  @G01-PURG-02
  Scenario: a new state is accepted and waits
    Given the owner announced the repository
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for git data
    And the state is not served

  @G01-PURG-01.version @needs:held=30617
  Scenario: an announcement that takes the place of one that waits, waits as well
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted
    And the announcement is not served
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served

  @G01-PURG-02.version @needs:held=30618
  Scenario: a state that takes the place of one that waits, waits as well
    Given the owner announced the repository
    And the owner published the state "older" dated 200:
      | refs/heads/main | first |
    When the owner publishes the state "newer" dated 300:
      | refs/heads/main | second |
    Then the state "newer" is not served
    And the state "older" is not served
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state "newer" is served

  @G01-PURG-05
  Scenario Outline: a held <event> does not show in <channel>
    Given a listener followed the owner's events
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the <event> does not show in <channel>

    Examples:
      | id                   | event        | channel               |
      | announcement-id      | announcement | a query by id         |
      | announcement-address | announcement | a query by address    |
      | announcement-live    | announcement | the open subscription |
      | state-id             | state        | a query by id         |
      | state-address        | state        | a query by address    |
      | state-live           | state        | the open subscription |

    @G01-PURG-05 @needs:nip=45
    Examples:
      | id                 | event        | channel |
      | announcement-count | announcement | a count |
      | state-count        | state        | a count |

    @G01-PURG-05 @needs:nip=77
    Examples:
      | id                      | event        | channel          |
      | announcement-negentropy | announcement | a reconciliation |
      | state-negentropy        | state        | a reconciliation |

  @G01-PURG-05.asked
  Scenario Outline: a held <event> is found by no <channel>, whatever is asked by
    Given the events of the check have a time of their own
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the <event> is found by no <channel>
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the <event> is served
    And the <event> is found by all such queries

    Examples:
      | id           | event        | channel |
      | announcement | announcement | query   |
      | state        | state        | query   |

    @G01-PURG-05.asked @needs:nip=45
    Examples:
      | id                 | event        | channel |
      | announcement-count | announcement | count   |
      | state-count        | state        | count   |

    @G01-PURG-05.asked @needs:nip=77
    Examples:
      | id                      | event        | channel        |
      | announcement-negentropy | announcement | reconciliation |
      | state-negentropy        | state        | reconciliation |

  @G01-PURG-05.dressed @further
  Scenario: announcements and states that wait are served in no dress
    Given repositories of the owner in every dress were announced, with states in the same dresses
    Then none of them was ever served

  @G01-PURG-05.sent
  Scenario Outline: a held <event> is sent to no subscription, whatever it asks for
    Given subscriptions of every form wait for <form>
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    Then the <event> is sent to none of them
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the <event> is sent to all of them

    Examples:
      | id           | event        | form            |
      | announcement | announcement | an announcement |
      | state        | state        | a state         |

  @G01-PURG-05.next
  Scenario Outline: a state that waits for a served repository <how>
    Given the events of the check have a time of their own
    And the owner's repository is served with:
      | refs/heads/main | first |
    And subscriptions of every form wait for a state
    And the owner published the state:
      | refs/heads/main | second |
    Then <then>
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is sent to all of them
    And the state is found by all such queries

    Examples:
      | id    | how                | then                            |
      | asked | is found by no query | the state is found by no query |
      | sent  | is sent to nobody  | the state is sent to none of them |

  @G01-PURG-06
  Scenario: the repository of a held announcement answers git and is empty
    When the owner announces the repository
    Then the repository answers git within 5 seconds and is empty

  @G01-PURG-06.asked
  Scenario: a repository that was asked for before it was announced is there behind its announcement
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer to the visitor is recorded
    When a visitor opens the page of the owner's repository
    Then the answer to the visitor is recorded
    When the owner announces the repository
    Then the event is accepted
    And the repository answers git within 5 seconds and is empty

  @G01-PURG-06.deleted
  Scenario: a repository that was deleted while it waited is there when it is announced anew
    Given the owner announced the repository
    And the owner's request to delete the announcement is taken
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer to the visitor is recorded
    When the owner announces the repository
    Then the event is accepted
    And the repository answers git within 5 seconds and is empty

  @G01-PURG-07
  Scenario: a push releases the announcement and the state as they were signed
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When a client pushes:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    Then the announcement is served within 5 seconds
    And the state is served within 5 seconds

  @G01-PURG-07.found
  Scenario Outline: a released <event> is found by whatever it says
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then the <event> is served
    And queries by whatever it says bring the <event>

    Examples:
      | id           | event        |
      | announcement | announcement |
      | state        | state        |

  @G01-PURG-08
  Scenario: a listener gets the announcement and the state when they are released
    Given a listener followed the owner's events
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the listener gets the announcement
    And the listener gets the state

  @G01-PURG-08.later @needs:held=30617
  Scenario: a listener who came when it waited gets the announcement when it is released
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And a listener followed the owner's events
    When a client pushes:
      | refs/heads/main | first |
    Then the listener gets the announcement

  @G01-PURG-08.later-state @needs:held=30618
  Scenario: a listener who came when it waited gets the state when it is released
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And a listener followed the owner's events
    When a client pushes:
      | refs/heads/main | second |
    Then the listener gets the state

  @G01-PURG-08.next
  Scenario: a listener gets each further state when it is released, and nothing twice
    Given a listener followed the owner's events
    And the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the listener gets the state
    When the owner publishes the state:
      | refs/heads/main | third |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | third |
    Then the listener gets the state
    And the listener got nothing twice

  @G01-PURG-09.listener
  Scenario: a listener gets a state of what is there already
    Given the owner's repository is served with:
      | refs/heads/main | second |
    And a listener followed the owner's events
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And the listener gets the state

  @G01-PURG-09.again
  Scenario: a state that says what one before the last has said applies at once, and so does the next
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the owner published the state:
      | refs/heads/main | side  |
      | refs/heads/dev  | first |
    And the owner's repository came to have exactly:
      | refs/heads/main | side  |
      | refs/heads/dev  | first |
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    Then the event is accepted
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
    And the state is served

  @G01-PURG-09.folder
  Scenario Outline: a state applies at once that has a branch <how>
    Given the owner's repository is served with:
      | refs/heads/main  | first |
      | refs/heads/<was> | first |
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/heads/<is> | first |
    Then the event is accepted
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/heads/<is> | first |

    Examples:
      | id    | how                             | was | is  |
      | below | below the name of one that goes | a   | a/b |
      | above | called as the folder of one     | a/b | a   |

  @G01-PURG-09.back
  Scenario: a branch that a state has dropped is made again by the next one
    Given the owner's repository is served with:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
      | refs/tags/v1    | side  |
    And the owner published the state:
      | refs/heads/main | first |
      | refs/tags/v1    | side  |
    And the owner's repository came to have exactly:
      | refs/heads/main | first |
      | refs/tags/v1    | side  |
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
      | refs/tags/v1    | side  |
    Then the event is accepted
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/heads/dev  | side  |
      | refs/tags/v1    | side  |

  @G01-PURG-09
  Scenario: a state that goes back to an older commit applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted, waiting for nothing
    And the state is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main | first |

  @G01-PURG-09.branch
  Scenario: a state with a new branch at a commit that is there applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the owner publishes the state:
      | refs/heads/main | second |
      | refs/heads/dev  | first  |
    Then the event is accepted, waiting for nothing
    And the state is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main | second |
      | refs/heads/dev  | first  |

  @G01-PURG-09.tags
  Scenario Outline: a state that only <does> applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
      | refs/tags/v1    | tag    |
      | refs/tags/v2    | first  |
    When the owner publishes the state:
      | refs/heads/main | second   |
      | refs/heads/dev  | side     |
      | refs/tags/v1    | <v1>     |
      | <ref>           | <object> |
    Then the event is accepted, waiting for nothing
    And the state is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main | second   |
      | refs/heads/dev  | side     |
      | refs/tags/v1    | <v1>     |
      | <ref>           | <object> |

    Examples:
      | id      | does                             | v1     | ref          | object |
      | moved   | moves tags                       | second | refs/tags/v2 | side   |
      | renamed | has a tag by another name        | tag    | refs/tags/v3 | first  |
      | object  | moves a tag to the tag object    | tag    | refs/tags/v2 | tag    |

  @G01-PURG-09.maintainer
  Scenario: a maintainer's state whose objects are all there applies at once
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    And the maintainer announced the repository naming the owner
    When the maintainer publishes the state:
      | refs/heads/main | first  |
      | refs/heads/next | second |
    Then the event is accepted
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first  |
      | refs/heads/next | second |

  @G01-PURG-09.below @score:should
  Scenario Outline: a state that has a branch by a name <where> applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | <before>        | side   |
    When the owner publishes the state:
      | refs/heads/main | second |
      | <behind>        | side   |
    Then the event is accepted
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |
      | <behind>        | side   |

    Examples:
      | id    | where              | before               | behind               |
      | below | below the old one  | refs/heads/topic     | refs/heads/topic/one |
      | above | that the old one was below | refs/heads/topic/one | refs/heads/topic |

  @G01-PURG-09.many @further
  Scenario: a state of 600 branches whose objects are all there applies as a whole, if so many are taken
    Given the owner's repository is served with:
      | refs/heads/main | second |
    And the owner published a state of 600 branches, if so many are taken
    Then the repository has all of them, once it has any

  @G01-PURG-09.deletion
  Scenario: a state that only drops a branch applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted, waiting for nothing
    And the state is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main | second |

  @G01-PURG-09.same
  Scenario: a state that says anew what is there applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner publishes the state:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    Then the event is accepted, waiting for nothing
    And the state is served within 5 seconds
    And the repository has exactly, within 5 seconds:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |

  @G01-PURG-09.renamed
  Scenario Outline: a state that has a branch by a name <where> the old one applies at once
    Given the owner's repository is served with:
      | refs/heads/main | second |
    When the owner publishes the state:
      | <name> | second |
    Then the event is accepted, waiting for nothing
    And the state is served
    And the repository has exactly:
      | <name> | second |

    Examples:
      | id     | where  | name            |
      | before | before | refs/heads/able |
      | behind | behind | refs/heads/zero |

  @G01-PURG-09.places
  Scenario Outline: a state that drops the <place> ref applies at once
    Given the owner's repository is served with:
      | refs/heads/a    | side   |
      | refs/heads/main | second |
      | refs/tags/z     | first  |
    When the owner publishes the state:
      | <one>   | <of one>   |
      | <other> | <of other> |
    Then the event is accepted, waiting for nothing
    And the state is served
    And the repository has exactly:
      | <one>   | <of one>   |
      | <other> | <of other> |

    Examples:
      | id     | place  | one             | of one | other           | of other |
      | first  | first  | refs/heads/main | second | refs/tags/z     | first    |
      | middle | middle | refs/heads/a    | side   | refs/tags/z     | first    |
      | last   | last   | refs/heads/a    | side   | refs/heads/main | second   |

  @G01-PURG-11 @needs:held=30617 @wait:36m
  Scenario: an announcement without git data is discarded after half an hour
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When 19 minutes pass
    Then the repository answers git and is empty
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push is refused
    And the owner's repository is not there
    And the announcement is not served
    And the state is not served
    But the same push is accepted once the owner announced the repository and published the state:
      | refs/heads/main | first |

  @G01-PURG-11.state @needs:held=30618 @wait:36m
  Scenario: a state without git data is discarded after half an hour
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 36 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PURG-11.early @wait:36m
  Scenario: nothing is discarded within twenty minutes
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When 19 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @G01-PURG-11.dated @needs:held=30618 @wait:2m
  Scenario: what waits does so from when it came, whatever its date
    Given the events of the check are dated a day ago
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When 2 minutes pass
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @G01-PURG-11.again @needs:held=30618 @wait:36m
  Scenario: a state that is sent again has no more time than it had
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 19 minutes pass
    And the owner sends the state again
    Then the event is accepted
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PURG-11.again-announcement @needs:held=30617 @wait:36m
  Scenario: an announcement that is sent again has no more time than it had
    Given the owner announced the repository
    When 19 minutes pass
    And the owner sends the announcement again
    Then the event is accepted
    When another 17 minutes pass
    Then the announcement is not served
    And the owner's repository is not there

  @G01-PURG-11.visited @needs:held=30618 @wait:36m
  Scenario: who asks for a repository gives a state no more time than it had
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 19 minutes pass
    And a visitor asks for the fetch advertisement of the owner's repository
    Then the answer to the visitor is recorded
    When a visitor asks for the push advertisement of the owner's repository
    Then the answer to the visitor is recorded
    When a visitor opens the page of the owner's repository
    Then the answer to the visitor is recorded
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PURG-11.beside @needs:held=30618 @wait:36m
  Scenario: what else happens to a repository gives a state no more time than it had
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the owner published the state:
      | refs/heads/main | second |
    When 19 minutes pass
    And a client pushes the commit side for the pull request
    Then the push succeeds
    When the contributor publishes an issue naming the owner's repository by a
    Then the event is accepted
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @G01-PURG-11.broken @needs:held=30617 @wait:36m
  Scenario: what waits is discarded after half an hour though a push of it has failed
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes with a corrupted pack:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    When 36 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    And the state is not served
    But the same push is accepted once the owner announced the repository and published the state:
      | refs/heads/main | second |

  @G01-PURG-11.replaced @wait:36m
  Scenario: what has got its data in time stays, though an announcement waited before in the place of its own
    Given the owner announced the repository
    And the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the announcement is served
    When 36 minutes pass
    Then the announcement is still served
    And the state is still served
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-PURG-11.replaced-state @wait:36m
  Scenario: a state that waits in the place of another one has a time of its own
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | side |
    When 19 minutes pass
    And the owner publishes the state:
      | refs/heads/main | second |
    Then the event is accepted
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-PURG-15
  Scenario: a state is taken while its announcement waits
    Given the owner announced the repository
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds

  @G01-PURG-15.replaced
  Scenario: a state goes on waiting when a newer announcement replaces one that waits
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner announces the repository with:
      | description | another description |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served
    And the state is served

  @G01-PURG-16
  Scenario: a state before its announcement authorizes nothing until it is sent again
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is refused, or accepted and waiting
    And the state is not served
    And a client pushes:
      | refs/heads/main | first |
    And the push is refused
    When the owner announced the repository
    And the owner sends the state again
    Then the event is accepted
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds

  @G01-PURG-17
  Scenario: the newest of several held states decides
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 100:
      | refs/heads/main | side |
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And a client pushes:
      | refs/heads/main | side |
    And the push is refused
    But the same push is accepted once the owner published the state dated 300:
      | refs/heads/main | side |

  @G01-PURG-17.older @score:should
  Scenario: an older held state authorizes nothing while a newer one waits
    Given the owner announced the repository naming the maintainer
    And the maintainer announced the repository naming the owner
    And the owner published the state dated 100:
      | refs/heads/main | side |
    And the maintainer published the state dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | side |
    Then the push is refused
    But this push is accepted:
      | refs/heads/main | second |

  # Everything is where that state says: a server may say so of such a push, or refuse it.
  @G01-PURG-17.served @score:should
  Scenario: a push of what a served state says moves nothing while a newer one waits
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | first |
    Then the push changes nothing
    But this push is accepted:
      | refs/heads/main | third |

  @G01-PURG-17.authors @score:should
  Scenario: a push of what the owner's served state says moves nothing while a maintainer's newer one waits
    Given the maintainer announced the repository naming the owner
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer published the state:
      | refs/heads/main | third |
    When a client pushes:
      | refs/heads/main | first |
    Then the push changes nothing
    But this push is accepted:
      | refs/heads/main | third |

  @G01-PURG-18
  Scenario: a newer state supersedes the older one of its author
    Given the owner announced the repository
    And the owner published the state "old" dated 100:
      | refs/heads/main | first |
    And the owner published the state "new" dated 200:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the state "new" is served
    And the state "old" is not served

  @G01-PURG-04
  Scenario Outline: <event> is never held
    When the contributor publishes <event> naming the lighthouse by a
    Then the event is accepted, waiting for nothing
    And the event is served

    Examples:
      | id      | event                 |
      | patch   | a patch               |
      | issue   | an issue              |
      | comment | an event of kind 1111 |
      | status  | an event of kind 1630 |

  @G01-PURG-12 @needs:held=30617 @wait:36m
  Scenario: a discarded announcement may be sent again and is held anew
    Given the owner announced the repository
    When 36 minutes pass
    And the owner sends the announcement again
    Then the event is accepted
    And the announcement is not served
    # Its repository may wait for the state: a server may keep an announcement that ran out half known.
    When the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement is served

  @G01-PURG-12.state @needs:held=30618 @wait:36m
  Scenario: a discarded state may be sent again and is held anew
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When 36 minutes pass
    And the owner sends the state again
    Then the event is accepted
    And the state is not served
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @G01-PURG-13 @wait:36m
  Scenario: whether a state extends the wait of its announcement is recorded
    Given the owner announced the repository
    And 19 minutes pass
    And the owner published the state:
      | refs/heads/main | first |
    Then 17 minutes later it is recorded whether the repository is there

  @G01-PURG-14 @serial @needs:restart
  Scenario: whether held events survive an orderly restart is recorded
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the server restarts
    And a client pushes:
      | refs/heads/main | first |
    Then the push is accepted or refused
    And it is recorded whether the announcement is served

  @G01-PURG-14.crash @serial @needs:kill
  Scenario: whether held events survive a crash is recorded
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the server crashes
    And a client pushes:
      | refs/heads/main | first |
    Then the push is accepted or refused
    And it is recorded whether the announcement is served

  @G01-PURG-19
  Scenario Outline: a held <event> that is sent again is accepted and stays held
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When the owner sends the <event> again
    Then the event is accepted
    And the <event> is not served
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    And the <event> is served

    Examples:
      | id           | event        |
      | announcement | announcement |
      | state        | state        |

  # Two seconds lie between them at most.
  @G01-PURG-21
  Scenario: the refs are there when their state is served
    Given the owner's repository is served with:
      | refs/heads/main | second |
      | refs/heads/dev  | side   |
    When the owner publishes the state:
      | refs/heads/main | first  |
      | refs/heads/dev  | second |
    Then the state is served within 5 seconds
    And the repository has exactly, within 2 seconds:
      | refs/heads/main | first  |
      | refs/heads/dev  | second |

  @G01-PURG-21.former @needs:held=30618
  Scenario: the state that the refs are as stays served while a newer one waits
    Given the owner announced the repository
    And the owner published the state "former":
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the state "former" is served
    When the owner publishes the state "newer":
      | refs/heads/main | second |
    Then the event is accepted, waiting for git data
    And the repository still has exactly:
      | refs/heads/main | first |
    And the state "former" is still served

  @G01-PURG-21.push
  Scenario: the refs are there when a push has released their state
    Given the owner announced the repository
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the state is served within 5 seconds
    And the repository still has exactly:
      | refs/heads/main | first |

  @G01-PURG-23 @hostile @serial
  Scenario: many held announcements of one key leave room for others, and what was held before in its place
    Given relay and git answer
    And the maintainer announced the repository "held"
    And the maintainer published the state of the repository "held":
      | refs/heads/main | unrelated |
    When 1000 announcements by the stranger arrive
    Then relay and git still answer
    And the owner announces the repository
    And the event is accepted
    And the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    And the push succeeds
    # A server may take no more than it has room for. What it has taken has its half hour, whatever others send.
    When a client pushes to the maintainer's repository "held":
      | refs/heads/main | unrelated |
    Then the push succeeds
    And the announcement "held" is served

  @G01-PURG-23.keys @hostile @serial
  Scenario: held announcements of many keys leave what is served, and what was held before, as it is
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And the maintainer announced the repository "held"
    And the maintainer published the state of the repository "held":
      | refs/heads/main | unrelated |
    When 1000 announcements by as many keys arrive
    Then relay and git still answer
    And the contributor posts an issue
    And the event is accepted
    And the event is served
    And the owner published the state:
      | refs/heads/main | second |
    And a client pushes:
      | refs/heads/main | second |
    And the push succeeds
    When a client pushes to the maintainer's repository "held":
      | refs/heads/main | unrelated |
    Then the push succeeds
    And the announcement "held" is served
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-PURG-24
  Scenario: an older announcement does not replace one that waits
    Given the owner's announcement "newer" dated 300 and then "older" dated 200 arrive
    When the owner published the state:
      | refs/heads/main | first |
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement "newer" is served
    And the announcement "older" is not served

  @G01-PURG-11.newest @needs:held=30618 @wait:36m
  Scenario: with the newest state discarded, a maintainer's before it that still waits authorizes
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the owner published the state "newer" dated 300:
      | refs/heads/main | second |
    When 19 minutes pass
    And the maintainer publishes the state "older" dated 200:
      | refs/heads/main | third |
    Then the event is accepted
    When another 17 minutes pass
    And a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "older" is served
