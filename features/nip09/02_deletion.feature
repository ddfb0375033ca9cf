Feature: Deletion requests
  Authors, and nobody else, can have their events taken back.

  @N09-01
  Scenario: an event that its author asks to delete by id is not served any more
    Given the contributor posted the issue "mistake"
    And the contributor posted the issue "other"
    And the issue "mistake" is served
    When the contributor asks to delete the issue "mistake" by id
    Then the issue "mistake" is not served any more
    And the issue "other" is still served

  @N09-01.hint
  Scenario Outline: a request by <way> that has more in its tag than that is one
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the contributor asks to delete the event "current" by <way> with a hint behind it dated 300
    Then the event "current" is not served any more

    Examples:
      | id      | way     |
      | id      | id      |
      | address | address |

  @N09-01.older
  Scenario: a request by id that is dated before the event is one
    Given the contributor posted the issue "mistake" dated 300
    And the issue "mistake" is served
    When the contributor asks to delete the issue "mistake" by id dated 200
    Then the issue "mistake" is not served any more

  @N09-01.former
  Scenario: a version that was replaced does not come back when the one in its place is deleted
    Given the contributor published an article "old" dated 100
    And the contributor published an article "new" dated 200
    When the contributor asks to delete the event "new" by id dated 300
    Then the event "new" is not served any more
    And the event "old" is not served any more

  @N09-01.pull
  Scenario Outline: a served <event> that its author asks to delete by id is not served any more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <form> of the commit second
    And a client pushed the commit second for the <event>
    And the <event> is served
    When the contributor asks to delete the <event> by id
    Then the <event> is not served any more

    Examples:
      | id           | event        | form           |
      | pull-request | pull request | a pull request |
      | update       | update       | an update      |

  @N09-01.next
  Scenario: a version that is newer than one that was deleted by id is taken
    Given the contributor published an article "current" dated 200
    When the contributor asks to delete the event "current" by id dated 300
    Then the event "current" is not served any more
    When the contributor publishes an article "next" dated 400
    Then the event is accepted
    And the event "next" is served

  @N09-01.between
  Scenario: a version that is newer than one that was deleted by id is taken, though the request is newer than both
    Given the contributor published an article "current" dated 200
    When the contributor asks to delete the event "current" by id dated 400
    Then the event "current" is not served any more
    When the contributor publishes an article "next" dated 300
    Then the event is accepted
    And the event "next" is served

  @N09-01.between-states
  Scenario: a state that is newer than one that was deleted by id counts, though the request is newer than both
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to delete the state by id dated 400
    Then the state is not served any more
    When the owner publishes the state dated 300:
      | refs/heads/main | second |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state is served

  @N09-01.asked
  Scenario: a deleted event is found by no query, whatever is asked by
    Given the events of the check have a time of their own
    And the contributor posted the issue "mistake"
    When the contributor asks to delete the issue "mistake" by id
    Then the issue "mistake" is not served any more
    And no query brings the issue "mistake" any more

  @N09-01.asked-tags
  Scenario: a deleted event that has several tags of one letter is found by none of them
    Given the events of the check have a time of their own
    And these events were accepted:
      | name | author      | kind | topic          | shade         | date |
      | two  | contributor | 1621 | blue+red+green | cold+warm+dim | 100  |
    When the contributor asks to delete the issue "two" by id
    Then the issue "two" is not served any more
    And no query brings the issue "two" any more

  @N09-01.several
  Scenario Outline: a request for several events by <way> deletes all of them, the <order>
    Given the contributor posted the issue "one" dated 100
    And the contributor posted the issue "two" dated 110
    And the contributor published an article "three" dated 120
    And the contributor posted the issue "other" dated 130
    And the issue "one" is served
    And the issue "two" is served
    And the event "three" is served
    When the contributor asks in one request to delete <list> by <way> dated 300
    Then the issue "one" is not served any more
    And the issue "two" is not served any more
    And the event "three" is not served any more
    And the issue "other" is still served

    Examples:
      | id      | order         | way            | list                                              |
      | ids     | article last  | id             | the issue "one", the issue "two", the event "three" |
      | article | article first | id             | the event "three", the issue "one", the issue "two" |
      | mixed   | article between | id and address | the issue "one", the event "three", the issue "two" |

  @N09-01.dressed @further
  Scenario Outline: <what> in every dress can be deleted
    Given <what> of the contributor in every dress were sent
    When the contributor asks in one request to delete all of them by id
    Then none of them is served any more

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @N09-01.gone
  Scenario Outline: a request that also names an event which <what> deletes the others
    Given the contributor posted the issue "here"
    And the issue "here" is served
    And the contributor posted the issue "gone"
    And the contributor's request to delete the issue "gone" is taken
    And an issue "never" by the contributor was never sent
    When the contributor asks in one request to delete <list> by id
    Then the issue "here" is not served any more

    Examples:
      | id      | what              | list                                 |
      | deleted | was deleted       | the issue "gone", the issue "here"   |
      | behind  | is deleted behind | the issue "here", the issue "gone"   |
      | unknown | is not here       | the issue "never", the issue "here"  |

  @N09-01.counted @needs:nip=45
  Scenario: a deleted event is not counted any more
    Given the contributor posted the issue "mistake"
    And the contributor's request to delete the issue "mistake" is taken
    Then the issue "mistake" is not served any more
    And the issue "mistake" is not counted any more

  @N09-02
  Scenario: a deletion by address covers every version up to its time
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the contributor asks to delete the event "current" by address dated 300
    Then the event "current" is not served any more
    When the contributor publishes an article "older" dated 100
    Then the event "older" is not served
    When the contributor publishes an article "newer" dated 400
    Then the event is accepted
    And the event "newer" is still served

  @N09-02.dressed @further
  Scenario: articles in every dress can be deleted by their addresses
    Given articles of the contributor in every dress were sent
    When the contributor asks in one request to delete all of them by address
    Then none of them is served any more

  @N09-02.same-time
  Scenario: a deletion by address covers a version of its very second
    Given the contributor published an article "current" dated 200
    When the contributor asks to delete the event "current" by address dated 200
    Then the event "current" is not served any more

  @N09-02.younger
  Scenario: a deletion by address spares a version that is newer than it
    Given the contributor published an article "current" dated 300
    When the contributor asks to delete the event "current" by address dated 200
    Then the event "current" is still served
    And the same request by the contributor dated 400 takes effect

  @N09-02.second
  Scenario: what a deletion by address covers stays away when one that is dated before it follows
    Given the contributor published an article "current" dated 150
    When the contributor asks to delete the event "current" by address dated 300
    Then the event "current" is not served any more
    When the contributor asks to delete the event "current" by address dated 120
    Then the event is answered without a failure
    When the contributor publishes an article "between" dated 200
    Then the event "between" is not served
    When the contributor publishes an article "newer" dated 400
    Then the event is accepted

  @N09-02.replaced
  Scenario: a deletion of a replaced version by id spares the version in its place
    Given the contributor published an article "old" dated 100
    And the contributor published an article "new" dated 200
    When the contributor asks to delete the event "old" by id dated 300
    Then the event "new" is still served
    When the contributor asks to delete the event "new" by id dated 400
    Then the event "new" is not served any more

  @N09-02.replaced-held
  Scenario: a deletion of an announcement by id spares the one that has come in its place and waits
    Given the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    And the owner published the state:
      | refs/heads/main | first |
    When the owner asks to delete the announcement "older" by id dated 400
    And a client pushes:
      | refs/heads/main | first |
    Then the push succeeds
    And the announcement "newer" is served

  @N09-02.replaced-state
  Scenario: a deletion of a state by id spares the one that has come after it and waits
    Given the owner announced the repository
    And the owner published the state "older" dated 200:
      | refs/heads/main | first |
    And the owner published the state "newer" dated 300:
      | refs/heads/main | second |
    When the owner asks to delete the state "older" by id dated 400
    And a client pushes:
      | refs/heads/main | second |
    Then the push succeeds
    And the state "newer" is served

  @N09-02.repository
  Scenario Outline: a repository of which <what> was deleted by <way> can be had again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks in one request to delete <what> by <way>
    Then the <gone> is not served any more
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

    Examples:
      | id              | what                           | way     | gone         |
      | announcement    | the announcement               | address | announcement |
      | state           | the state                      | address | state        |
      | both            | the announcement and the state | address | announcement |
      | announcement-id | the announcement               | id      | announcement |
      | state-id        | the state                      | id      | state        |

  @N09-02.kinds
  Scenario: a deletion of a state by address spares the announcement of that identifier
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to delete the state by address
    Then the state is not served any more
    And the announcement is still served

  @N09-02.kinds-later
  Scenario: a deletion of a state by address leaves room for an announcement of that identifier that is older than the request
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner asks to delete the state by address dated 400
    Then the state is not served any more
    When the owner's announcement "older" dated 200 and then "newer" dated 300 arrive
    Then the announcement "newer" is served

  @N09-03
  Scenario Outline: a stranger's request to delete <what> by <way> removes nothing
    Given the contributor <made>
    When the stranger asks to delete the <what> by <way> dated 300
    Then the <what> is still served
    But the same request by the contributor dated 400 takes effect, or none does here

    Examples:
      | id         | what            | way     | made                                     |
      | id         | issue "mistake" | id      | posted the issue "mistake" dated 100     |
      | article-id | event "current" | id      | published an article "current" dated 100 |
      | address    | event "current" | address | published an article "current" dated 100 |

  @N09-03.maintainer
  Scenario Outline: a maintainer's request to delete the owner's <what> by <way> removes nothing
    Given the maintainer announced the repository naming the owner
    And the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    When the maintainer asks to delete the <what> by <way>
    Then the <what> is still served
    And the repository still has exactly:
      | refs/heads/main | first |
    But the same request by the owner takes effect, or none does here

    Examples:
      | id             | what         | way     |
      | announcement   | announcement | id      |
      | repository     | announcement | address |
      | state          | state        | id      |
      | state-address  | state        | address |

  @N09-03.owner
  Scenario: an owner's request to delete what somebody else has said of the repository removes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes an event of kind 1621 "theirs" with the tags:
      | ["a","30617:{owner}:{identifier}"] |
      | ["p","{owner}"]                    |
    Then the event is accepted
    And the event "theirs" is served
    When the owner asks to delete the event "theirs" by id
    Then the event "theirs" is still served
    But the same request by the contributor takes effect, or none does here

  @N09-03.held
  Scenario: an owner's request to delete the states at the own address spares a maintainer's that waits
    Given the owner's repository is served, naming the maintainer, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the owner published the state "own" dated 200:
      | refs/heads/main | second |
    And the maintainer published the state "theirs" dated 250:
      | refs/heads/main | third |
    When the owner asks to delete the state "own" by address dated 300
    And a client pushes:
      | refs/heads/main | third |
    Then the push succeeds
    And the state "theirs" is served

  @N09-03.owner-pull
  Scenario: an owner's request to delete a pull request of somebody else removes nothing
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the pull request is served
    When the owner asks to delete the pull request by id
    Then the pull request is still served
    And the pull request has its ref at the commit side
    But the same request by the contributor takes effect, or none does here

  @N09-03.mixed
  Scenario Outline: a request for an own and a foreign <what> by <way>, the <order> one first, spares the foreign one
    Given the contributor <made> "own" dated 100
    And the stranger <made> "theirs" dated 100
    When the contributor asks in one request to delete the <what> "<one>" and the <what> "<other>" by <way> dated 300
    Then the <what> "theirs" is still served
    But the same request by the stranger dated 400 takes effect on the <what> "theirs", or none does here

    Examples:
      | id            | what  | way     | order   | one    | other  | made                 |
      | id            | issue | id      | own     | own    | theirs | posted the issue     |
      | id-back       | issue | id      | foreign | theirs | own    | posted the issue     |
      | article       | event | id      | own     | own    | theirs | published an article |
      | article-back  | event | id      | foreign | theirs | own    | published an article |
      | address       | event | address | own     | own    | theirs | published an article |
      | address-back  | event | address | foreign | theirs | own    | published an article |
      | both-ways     | event | id and address | own | own    | theirs | published an article |
      | both-ways-back | event | id and address | foreign | theirs | own | published an article |

  # A request that is refused for what it says of somebody else deletes nothing; one that is taken deletes what it may.
  @N09-01.beside
  Scenario Outline: a request that is taken deletes the author's own <what>, though it names one of somebody else <order> by <way>
    Given the contributor <made> "own" dated 100
    And the <what> "own" is served
    And the stranger <made> "theirs" dated 100
    And the <what> "theirs" is served
    When the contributor asks in one request to delete the <what> "<one>" and the <what> "<other>" by <way> dated 300
    Then the <what> "own" is not served any more, unless the request was refused

    Examples:
      | id           | what  | way     | order | one    | other  | made                 |
      | id           | issue | id      | last  | own    | theirs | posted the issue     |
      | id-back      | issue | id      | first | theirs | own    | posted the issue     |
      | address-back | event | address | first | theirs | own    | published an article |

  @N09-03.crossed
  Scenario Outline: a request for an own <first> and somebody else's <second> by <way> spares that
    Given the contributor <made> "own" dated 100
    And the stranger <theirs> "theirs" dated 100
    When the contributor asks in one request to delete the <first> "own" and the <second> "theirs" by <way> dated 300
    Then the <second> "theirs" is still served
    But the same request by the stranger dated 400 takes effect on the <second> "theirs", or none does here

    Examples:
      | id            | first | second | way            | made                 | theirs               |
      | issue-article | issue | event  | id and address | posted the issue     | published an article |
      | issue-id      | issue | event  | id             | posted the issue     | published an article |
      | article-issue | event | issue  | id             | published an article | posted the issue     |

  @N09-03.unseen
  Scenario: a stranger's request to delete an issue that is not here yet does not keep it out
    Given an issue "early" by the contributor was never sent
    When the stranger asks to delete the issue "early" by id
    Then the event is answered without a failure
    When the contributor posts the issue "early" again
    Then the event is accepted
    And the issue "early" is served

  @N09-03.unseen
  Scenario Outline: a stranger's request to delete <what> that is not here yet does not keep it out
    When the stranger publishes an event of kind 5 dated 300 with the tags:
      | ["a","<kind>:{contributor}:{identifier}<more>"] |
      | ["k","<kind>"]                                  |
    Then the event is answered without a failure
    When the contributor publishes an event of kind <kind> "early" dated 100 with the tags:
      | ["d","{identifier}<more>"] |
      | ["a","{lighthouse}"]       |
      | ["clone","{scheme}://{host}/{npub}/{identifier}<more>.git"] |
      | ["relays","{own relay}"]   |
    Then the event is accepted

    Examples:
      | id           | what            | kind  | more     |
      | article      | an article      | 30023 | -article |
      | announcement | an announcement | 30617 | -early   |

  @N09-03.unseen-pull
  Scenario: a stranger's request to delete a pull request that is not here yet does not keep it out
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor drafted a pull request of the commit side
    When the stranger asks to delete the pull request by id
    Then the event is answered without a failure
    When the contributor publishes the pull request
    Then the event is accepted
    When a client pushes the commit side for the pull request
    Then the push succeeds
    And the pull request is served

  @N09-03.answers @score:should
  Scenario: what others have said of an issue stays served when its author deletes that
    Given the contributor posted the issue "mistake" dated 100
    And the stranger posted a comment "reply" on the issue "mistake" dated 200
    When the contributor's request to delete the issue "mistake" is taken
    Then the issue "reply" is still served

  @N09-03.updates @score:should
  Scenario: an update of somebody else stays served when the pull request that it names is deleted
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side
    And a client pushed the commit side for the pull request
    And the stranger published an update of the commit second
    And a client pushed the commit second for the update
    And the update is served
    When the contributor's request to delete the pull request is taken
    Then the update is still served

  @N09-03.malformed
  Scenario: a deletion request by coordinates that name nothing removes nothing
    Given the contributor published an article "current" dated 100
    When the contributor publishes an event of kind 5 dated 300 with the tags:
      | ["e"]                                    |
      | ["e",""]                                 |
      | ["e","current"]                          |
      | ["a"]                                    |
      | ["a",""]                                 |
      | ["a","30023"]                            |
      | ["a","30023:{contributor}"]              |
      | ["a","30023:{contributor}:{d}x"]         |
      | ["a","x:{contributor}:{d}"]              |
      | ["a","1:{contributor}:{d}"]              |
      | ["a","30023:{contributor npub}:{d}"]     |
      | ["a","30023:{stranger}:{d}"]             |
      | ["a","{contributor}:{d}"]                |
      | ["k"]                                    |
    Then the event is answered without a failure
    And the event "current" is still served

  @N09-03.profile
  Scenario: a deletion request by coordinates of no replaceable event removes none
    When the contributor publishes an event of kind 0 "profile" dated 100 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 5 dated 300 with the tags:
      | ["a","x:{contributor}:"]       |
      | ["a",":{contributor}:"]        |
      | ["a","1621:{contributor}:"]    |
      | ["a","1:{contributor}:x"]      |
      | ["a","20000:{contributor}:"]   |
      | ["a","40000:{contributor}:"]   |
      | ["a","0:{stranger}:"]          |
      | ["a","10317:{contributor}:"]   |
      | ["a","{contributor}"]          |
    Then the event is answered without a failure
    And the event "profile" is still served

  @N09-02.profile
  Scenario: a replaceable event that its author asks to delete by address is not served any more
    When the contributor publishes an event of kind 0 "profile" dated 100 with the tags:
      | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "profile" is served
    When the contributor publishes an event of kind 5 dated 300 with the tags:
      | ["a","0:{contributor}:"] |
    Then the event is accepted, or such events are not taken
    And the event "profile" is not served any more

  @N09-04
  Scenario: a deletion request is served
    Given the contributor posted the issue "mistake"
    When the contributor asks to delete the issue "mistake" by id
    Then the event "request" is served

  @N09-04.live
  Scenario: a deletion request is sent to who listens to its author
    Given the contributor posted the issue "mistake"
    And a listener followed the contributor's events
    When the contributor asks to delete the issue "mistake" by id
    Then the event "request" is served
    And the listener gets the event "request"

  @N09-04.deleted
  Scenario: deleting a deletion request changes nothing
    Given the contributor posted the issue "mistake"
    And the contributor's request to delete the issue "mistake" is taken
    And the event is served
    When the contributor asks to delete the event by id
    Then the deletion request before it is still served
    And the issue "mistake" is not served any more
    When the contributor posts the issue "mistake" again
    Then the issue "mistake" is not served any more

  @N09-04.unseen
  Scenario: deleting a deletion request that is not here yet changes nothing
    Given the contributor posted the issue "mistake"
    And the issue "mistake" is served
    And a request "doom" by the contributor to delete the issue "mistake" by id was never sent
    When the contributor asks to delete the event "doom" by id
    Then the event is accepted, or such events are not taken
    When the contributor sends the event "doom" again
    Then the issue "mistake" is not served any more

  @N09-05
  Scenario: a deleted event that is sent again is refused
    Given the contributor posted the issue "mistake"
    And the contributor's request to delete the issue "mistake" is taken
    When the contributor posts the issue "mistake" again
    Then the event is refused
    And the issue "mistake" is not served any more
    But a younger issue by the contributor is accepted

  @N09-05.repository
  Scenario: a deleted announcement that is sent again and refused makes no repository
    Given the owner announced the repository
    And the owner's request to delete the announcement is taken
    And the owner's repository went with it
    When the owner sends the announcement again
    Then the event is refused
    And the owner's repository is not there
    And the announcement is not served any more
    But a younger announcement of the repository by the owner is accepted

  @N09-05.held-state
  Scenario: a state that was deleted while it waited is refused when it is sent again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And the owner's request to delete the state is taken
    When the owner sends the state again
    Then the event is refused
    When a client pushes:
      | refs/heads/main | second |
    Then the push is refused
    But the same push is accepted once the owner published the state:
      | refs/heads/main | second |

  @N09-05.held-pull
  Scenario: a pull request that was deleted while it waited is refused when it is sent again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit second
    And the contributor's request to delete the pull request is taken
    When the contributor sends the pull request again
    Then the event is refused
    And the pull request is not served any more
    But the same pull request of the commit second that nobody deleted is released by such a push

  @N09-05.held-update
  Scenario: an update that was deleted while it waited is refused when it is sent again
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published an update of the commit second
    And the contributor's request to delete the update is taken
    When the contributor publishes the update
    Then the event is refused
    And the update is not served any more
    But the same pull request of the commit second that nobody deleted is released by such a push

  @N09-05.same-time
  Scenario: a version of the very second of a deletion by address is refused when it is sent again
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the contributor asks to delete the event "current" by address dated 200
    Then the event is accepted, or such events are not taken
    When the contributor publishes an article "current" dated 200
    Then the event is refused
    And the event "current" is not served any more
    But an article "newer" dated 400 by the contributor is accepted

  @N09-05.address
  Scenario: a version that was deleted by address is refused when it is sent again
    Given the contributor published an article "current" dated 200
    And the event "current" is served
    When the contributor asks to delete the event "current" by address dated 300
    Then the event is accepted, or such events are not taken
    When the contributor publishes an article "current" dated 200
    Then the event is refused
    And the event "current" is not served any more
    But an article "newer" dated 400 by the contributor is accepted

  @N09-05.replaceable
  Scenario: a replaceable event that was deleted by address is refused when it is sent again
    When the contributor publishes an event of kind 10317 "list" dated 100 with the tags:
      | ["g","{own relay}"] |
    Then the event is accepted, or such events are not taken
    And the event "list" is served
    When the contributor publishes an event of kind 5 dated 300 with the tags:
      | ["a","10317:{contributor}:"] |
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 10317 "list" dated 100 with the tags:
      | ["g","{own relay}"] |
    Then the event is refused
    And the event "list" is not served any more
    When the contributor publishes an event of kind 10317 "newer" dated 400 with the tags:
      | ["g","{own relay}"] |
    Then the event is accepted

  @N09-05.unseen
  Scenario: an event that was deleted before it was seen here is refused
    Given an issue "unseen" by the contributor was never sent
    When the contributor's request to delete the issue "unseen" is taken
    And the contributor posts the issue "unseen" again
    Then the event is refused
    And the issue "unseen" is not served
    But a younger issue by the contributor is accepted

  @N09-06
  Scenario Outline: a deletion request takes effect <how> k tags
    Given the contributor posted the issue "mistake"
    When the contributor asks to delete the issue "mistake" by id, <how> k tags
    Then the event is accepted
    And the issue "mistake" is not served any more

    Examples:
      | id      | how     |
      | without | without |
      | with    | with    |

  @N09-02.again
  Scenario: a request to delete an address that is sent again spares what has come behind it
    Given the contributor published an article "current" dated 200
    When the contributor asks to delete the event "current" by address dated 300
    Then the event is accepted, or such events are not taken
    When the contributor publishes an article "newer" dated 400
    Then the event is accepted
    When the contributor sends the event "request" again
    Then the event is answered without a failure
    And the event "newer" is still served
