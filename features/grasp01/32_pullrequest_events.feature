Feature: Events of pull requests
  A pull request, or an update of one, is served once its commit is there.

  Background:
    Given the owner's repository is served with:
      | refs/heads/main | first |

  @G01-PURG-03
  Scenario Outline: <form> whose commit is missing is accepted and waits
    When the contributor publishes <form> of the commit side
    Then the event is accepted, waiting for git data
    And the <event> is not served

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  # Relays get what clients send in any order, and not all of it: the pull request may be elsewhere, or come later.
  @G01-PURG-03.unknown @score:should
  Scenario Outline: an update of a pull request that <what> is accepted, and served by its commit
    Given the contributor drafted a pull request of the commit second
    When the contributor publishes an event of kind 1619 "update" with the tags:
      | ["a","30617:{owner}:{identifier}"] |
      | ["E",<root>]                       |
      | ["P","{contributor}"]              |
      | ["p","{owner}"]                    |
      | ["c","{side}"]                     |
      | ["clone","{own clone}"]            |
    Then the event is accepted
    When a client pushes:
      | refs/nostr/{event update} | side |
    Then the push succeeds
    And the event "update" is served

    Examples:
      | id      | what             | root             |
      | later   | was not sent yet | "{pull request}" |
      | nowhere | nobody has       | "{unknown}"      |

  @G01-PURG-05
  Scenario Outline: a held <event> does not show in <channel>
    Given a listener followed the contributor's events
    And the contributor's <event> of the commit side waits
    Then the <event> does not show in <channel>

    Examples:
      | id                | event        | channel               |
      | pull-request-id   | pull request | a query by id         |
      | pull-request-live | pull request | the open subscription |
      | update-id         | update       | a query by id         |
      | update-live       | update       | the open subscription |

    @G01-PURG-05 @needs:nip=45
    Examples:
      | id                 | event        | channel |
      | pull-request-count | pull request | a count |
      | update-count       | update       | a count |

    @G01-PURG-05 @needs:nip=77
    Examples:
      | id                      | event        | channel          |
      | pull-request-negentropy | pull request | a reconciliation |
      | update-negentropy       | update       | a reconciliation |

  @G01-PURG-05.asked
  Scenario Outline: a held <event> is found by no <channel>, whatever is asked by
    Given the events of the check have a time of their own
    And the contributor's <event> of the commit side waits
    Then the <event> is found by no <channel>
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served
    And the <event> is found by all such queries

    Examples:
      | id           | event        | channel |
      | pull-request | pull request | query   |
      | update       | update       | query   |

    @G01-PURG-05.asked @needs:nip=45
    Examples:
      | id                 | event        | channel |
      | pull-request-count | pull request | count   |
      | update-count       | update       | count   |

    @G01-PURG-05.asked @needs:nip=77
    Examples:
      | id                      | event        | channel        |
      | pull-request-negentropy | pull request | reconciliation |
      | update-negentropy       | update       | reconciliation |

  @G01-PURG-05.sent
  Scenario Outline: a held <event> is sent to no subscription, whatever it asks for
    Given subscriptions of every form wait for <form>
    And the contributor's <event> of the commit side waits
    Then the <event> is sent to none of them
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is sent to all of them

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PURG-08
  Scenario Outline: a listener gets a <event> when it is released
    Given a listener followed the contributor's events
    And the contributor's <event> of the commit side waits
    When a client pushes the commit side for the <event>
    Then the listener gets the <event>

    Examples:
      | id           | event        |
      | pull-request | pull request |
      | update       | update       |

  @G01-PURG-10
  Scenario Outline: <form> whose commit was pushed before is served at once
    Given the contributor drafted <form> of the commit side
    And a client pushed the commit side for the <event>
    When the contributor publishes the <event>
    Then the event is accepted, waiting for nothing
    And the <event> is served within 5 seconds
    And the <event> has its ref at the commit side

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PURG-07.pull-request
  Scenario: a push that brings the commit of a pull request as well releases its state, whatever else that names
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    And the owner's repository "two" is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side to the owner's repository "one" and the owner's repository "two" and the stranger's repository "one"
    And the owner published the state of the repository "one":
      | refs/heads/main | side |
    When a client pushes to the owner's repository "one":
      | refs/heads/main | side |
    Then the push succeeds
    And the state is served

  @G01-PURG-07.served-elsewhere
  Scenario: a push releases its state beside a pull request that another repository has made served
    Given the owner's repository "one" is served with:
      | refs/heads/main | first |
    And the owner's repository "two" is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side to the owner's repository "one" and the owner's repository "two"
    And a client pushed to the owner's repository "one":
      | refs/nostr/{pull request} | side |
    And the pull request is served
    And the owner published the state of the repository "two":
      | refs/heads/main | side |
    When a client pushes to the owner's repository "two":
      | refs/heads/main | side |
    Then the push succeeds
    And the state is served

  @G01-PURG-11 @wait:36m
  Scenario Outline: a <event> without its commit is discarded after half an hour
    Given the contributor's <event> of the commit side waits
    When 36 minutes pass
    And a client pushes the commit side for the <event>
    Then the push is accepted or refused
    And the <event> is not served

    Examples:
      | id           | event        |
      | pull-request | pull request |
      | update       | update       |

  @G01-PURG-12 @wait:36m
  Scenario Outline: a discarded <event> may be sent again and is held anew
    Given the contributor's <event> of the commit side waits
    When 36 minutes pass
    And the contributor publishes the <event>
    Then the event is accepted
    And the <event> is not served
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served

    Examples:
      | id           | event        |
      | pull-request | pull request |
      | update       | update       |

  @G01-PURG-11.pull-request-early @wait:36m
  Scenario: a pull request is not discarded within twenty minutes
    Given the contributor's pull request of the commit side waits
    When 19 minutes pass
    And a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-PURG-11.pull-request-again @wait:36m
  Scenario Outline: a <event> that is sent again has no more time than it had
    Given the contributor's <event> of the commit side waits
    When 19 minutes pass
    And the contributor publishes the <event>
    Then the event is accepted
    When another 17 minutes pass
    And a client pushes the commit side for the <event>
    Then the push is accepted or refused
    And the <event> is not served

    Examples:
      | id           | event        |
      | pull-request | pull request |
      | update       | update       |

  @G01-PURG-19
  Scenario Outline: a held <event> that is sent again stays held
    Given the contributor's <event> of the commit side waits
    When the contributor publishes the <event>
    Then the event is accepted
    And the <event> is not served
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served

    Examples:
      | id     | event        |
      | pull   | pull request |
      | update | update       |

  @G01-PURG-20
  Scenario Outline: another commit does not release a <event>
    Given the contributor's <event> of the commit side waits
    When a client pushes the commit second for the <event>
    Then the push is accepted or refused
    And the <event> is not served
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served

    Examples:
      | id           | event        |
      | pull-request | pull request |
      | update       | update       |

  @G01-PR-04.meanwhile
  Scenario: a pull request that comes while its commit is pushed is served
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then each of 5 pull requests of the contributor that come while their commits are pushed is served

  @G01-PR-04.two
  Scenario Outline: of two <what> that wait at once each is served once its own commit is there
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <one>
    And the contributor published <two>
    When a client pushes the commit second for the <first>
    Then the push succeeds
    And the <first> is served
    When a client pushes the commit <commit> for the <other>
    Then the push succeeds
    And the <other> is served

    Examples:
      | id      | what                           | one                                         | two                                         | first              | commit | other              |
      | commit  | pull requests of one commit    | a pull request "one" of the commit second   | a pull request "two" of the commit second   | pull request "one" | second | pull request "two" |
      | author  | pull requests of one author    | a pull request "one" of the commit second   | a pull request "two" of the commit third    | pull request "one" | third  | pull request "two" |

  @G01-PR-04.found
  Scenario Outline: a <event> that was released is found by whatever it says
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <form> of the commit side
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served
    And queries by whatever it says bring the <event>

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PR-04.at-once
  Scenario: a pull request and an update whose commits come in one push are both served
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    And the contributor published an update of the commit side
    When a client pushes:
      | refs/nostr/{pull request} | second |
      | refs/nostr/{update}       | side   |
    Then the push succeeds
    And the pull request is served
    And the update is served

  @G01-PURG-20.own
  Scenario: a pull request that waits is not served by the commit of its update
    Given the contributor's pull request of the commit second waits
    And the contributor's update of the commit side waits
    When a client pushes the commit side for the update
    Then the push succeeds
    And the pull request is not served, unless its ref is at the commit second
    When a client pushes the commit second for the pull request
    Then the push succeeds
    And the pull request is served

  @G01-PURG-20.commit
  Scenario Outline: <form> whose commit has come by the ref of another event is not served without a ref
    Given the contributor's <event> of the commit side waits
    And the contributor published a pull request "two" of the commit side
    When a client pushes the commit side for the pull request "two"
    Then the push succeeds
    And the <event> is not served, unless its ref is at the commit side
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served

    Examples:
      | id           | event              | form           |
      | pull-request | pull request "one" | a pull request |
      | update       | update             | an update      |

  @G01-PURG-20.branch
  Scenario: a pull request whose commit has come by a branch is not served without a ref
    Given the contributor's pull request of the commit side waits
    And the owner published the state:
      | refs/heads/main | side |
    When a client pushes:
      | refs/heads/main | side |
    Then the push succeeds
    And the pull request is not served, unless its ref is at the commit side

  @G01-PURG-20.before
  Scenario: another commit that was pushed before does not release a pull request
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit second for the pull request
    When the contributor publishes the pull request
    Then the event is refused, or accepted and waiting
    And the pull request is not served

  @G01-PR-12
  Scenario Outline: <form> to a repository that is not here is refused
    When the contributor publishes <form> of the commit side to an unknown repository
    Then the event is refused
    And the <event> is not served
    But the same <event> of the commit side to the owner's repository is accepted

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @G01-PR-12.coordinate
  Scenario: a pull request that names a repository by a malformed coordinate is refused
    Then all pull requests that name the owner's repository by a malformed coordinate are refused
    But the same pull request of the commit side to the owner's repository is accepted

  @G01-PR-14.bare
  Scenario Outline: <form> with tags of one element is accepted
    Given the contributor published a pull request of the commit side
    When the contributor publishes an event of kind <kind> with the tags:
      | ["a"]                              |
      | ["e"]                              |
      | ["E","{pull request}"]             |
      | ["clone"]                          |
      | ["a","30617:{owner}:{identifier}"] |
      | ["c","{first}"]                    |
      | ["p"]                              |
    Then the event is accepted

    Examples:
      | id           | form           | kind |
      | pull-request | a pull request | 1618 |
      | update       | an update      | 1619 |

  @G01-PR-13
  Scenario Outline: <form> with <what> instead of a commit is refused or never served
    When the contributor publishes <form> with <what> instead of a commit
    Then the event is refused, or accepted and waiting
    And the <event> is not served
    But the same <event> of the commit side to the owner's repository is accepted

    Examples:
      | id           | event        | form           | what            |
      | pull-request | pull request | a pull request | nothing         |
      | update       | update       | an update      | nothing         |
      | short        | pull request | a pull request | an id cut short |
      | name         | pull request | a pull request | a name          |

  @G01-PR-14
  Scenario Outline: a pull request to <repositories> is accepted
    When the contributor publishes a pull request of the commit side to <repositories>
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

    Examples:
      | id    | repositories                              |
      | first | the owner's repository and an unknown one |
      | last  | an unknown repository and the owner's     |

  @G01-PR-14.update
  Scenario Outline: an update to <repositories> is accepted
    When the contributor publishes an update of the commit side to <repositories>
    Then the event is accepted
    When a client pushes the commit side for the update
    Then the push succeeds
    And the update is served

    Examples:
      | id    | repositories                              |
      | first | the owner's repository and an unknown one |
      | last  | an unknown repository and the owner's     |

  @G01-PR-14.both
  Scenario: a pull request to two repositories has its ref in each that got its commit
    Given the stranger's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes a pull request of the commit side to the owner's and the stranger's repository
    Then the event is accepted
    When a client pushes the commit side for the pull request to the stranger's repository
    Then the push succeeds
    And the pull request is served
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request has its ref at the commit side
    And the pull request has its ref at the commit side in the stranger's repository

  @G01-PR-19
  Scenario Outline: <event> on a served pull request is accepted
    Given the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When the stranger publishes <event> naming that event by <tag>
    Then the event is accepted
    And the event is served

    Examples:
      | id      | event                 | tag |
      | comment | an event of kind 1111 | E   |
      | open    | an event of kind 1630 | e   |
      | merged  | an event of kind 1631 | e   |
      | closed  | an event of kind 1632 | e   |
      | draft   | an event of kind 1633 | e   |

  @G01-PR-19.update
  Scenario: a comment on a served update is accepted
    Given the contributor published an update of the commit side
    And a client pushed the commit side for the update
    And the update is served
    When the stranger publishes a comment naming that event by E
    Then the event is accepted
    And the event is served

  @G01-PR-19.git-first
  Scenario: a comment on a pull request whose commit came before it is accepted
    Given the contributor drafted a pull request of the commit side
    And a client pushed the commit side for the pull request
    When the contributor publishes the pull request
    Then the event is accepted
    And the pull request is served
    When the stranger publishes a comment naming that event by E
    Then the event is accepted
    And the event is served

  @G01-PR-19.held
  Scenario: what becomes of a comment on a held pull request is recorded
    Given the contributor's pull request of the commit side waits
    When the stranger publishes a comment naming that event by E
    Then the answer to the event is recorded
    And it is recorded whether the event is served

  @N34-01
  Scenario Outline: <form> with <which> optional tag is accepted
    When the contributor publishes <form> of the commit side with <which> optional tag
    Then the event is accepted
    When a client pushes the commit side for the <event>
    Then the push succeeds
    And the <event> is served

    Examples:
      | id                 | event        | form           | which |
      | pull-request       | pull request | a pull request | no    |
      | pull-request-every | pull request | a pull request | every |
      | update             | update       | an update      | no    |
      | update-every       | update       | an update      | every |

  @N34-01.unknown
  Scenario Outline: <form> with tags that no rule knows is accepted
    Given the contributor published a pull request of the commit side
    When the contributor publishes an event of kind <kind> with the tags:
      | ["a","30617:{owner}:{identifier}"] |
      | ["c","{first}"]                    |
      | ["E","{pull request}"]             |
      | ["alt","what it is about"]         |
      | ["client","a client"]              |
      | ["x-unknown","1","2"]              |
    Then the event is accepted

    Examples:
      | id           | form           | kind |
      | pull-request | a pull request | 1618 |
      | update       | an update      | 1619 |

  @N34-02
  Scenario: what becomes of a pull request that is signed after its push is recorded
    Given the contributor drafted a pull request of the commit side
    When a client pushes the commit side for the pull request
    Then the push is accepted or refused
    When the contributor publishes the pull request
    Then the answer to the event is recorded
    And it is recorded whether the event is served

  @G01-PR-04.again
  Scenario: a pull request of the commit of one that was deleted is served like any other
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "gone" of the commit side
    And a client pushed the commit side for the pull request "gone"
    And the contributor's request to delete the pull request "gone" is taken
    When the contributor publishes a pull request "again" of the commit side
    Then the event is accepted
    When a client pushes the commit side for the pull request "again"
    Then the push succeeds
    And the pull request "again" is served

  @G01-PR-04.orphan @score:should
  Scenario: an update that waits is served by its commit though its pull request was deleted while both waited
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    And the contributor published an update of the commit side
    When the contributor asks to delete the pull request by id
    And a client pushes the commit side for the update
    Then the push succeeds
    And the update is served

  @G01-PR-04.beside
  Scenario: a pull request is served by its commit when another one that waited was deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request "gone" of the commit side
    And the contributor published a pull request "kept" of the commit second
    When the contributor asks to delete the pull request "gone" by id
    And a client pushes the commit second for the pull request "kept"
    Then the push succeeds
    And the pull request "kept" is served
