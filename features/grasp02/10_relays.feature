Feature: Relays as they are (GRASP-02)
  Relays go away, page, refuse, limit and say nothing, and some send what is not true. A server gets what is there all the
  same, from the good ones at least, and comes to no harm.

  @G02-EV-06 @wait:142m @needs:reachback
  Scenario: what a relay got while it was away is made up for
    Given there is another relay
    And the other relay has the contributor's issue "before"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When from now on the other relay refuses
    And the other relay gets the contributor's issue "away"
    And 10 minutes pass
    And from now on the other relay serves
    Then the issue "away" comes to be served within an hour

  @G02-EV-06.twice @wait:213m @needs:reachback
  Scenario: what a relay got while it was away a second time is made up for
    Given there is another relay
    And the other relay has the contributor's issue "before"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When from now on the other relay refuses
    And the other relay gets the contributor's issue "away"
    And 10 minutes pass
    And from now on the other relay serves
    Then the issue "away" comes to be served within an hour
    When from now on the other relay refuses
    And the other relay gets the contributor's issue "again"
    And 10 minutes pass
    And from now on the other relay serves
    Then the issue "again" comes to be served within an hour

  @G02-EV-06.pages @wait:142m @needs:reachback
  Scenario: what a relay without negentropy got while it was away is made up for
    Given there is another relay
    And from now on the other relay knows no negentropy, and pages by 100
    And the other relay has the contributor's issue "before"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When from now on the other relay refuses
    And the other relay gets the contributor's issue "away"
    And 10 minutes pass
    And from now on the other relay knows no negentropy, and pages by 100
    Then the issue "away" comes to be served within an hour

  @G02-EV-06.late @wait:96m @needs:reachback
  Scenario: a relay that is down at first is tried again
    Given there is another relay
    And from now on the other relay refuses
    And the other relay has the contributor's issue
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When 30 minutes pass
    And from now on the other relay serves
    Then the issue comes to be served within an hour

  @G02-EV-06.slowly @wait:191m @needs:reachback
  Scenario: a relay that stays down is tried ever more slowly
    Given there is another relay
    And the other relay has the contributor's issue
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue came to be served within an hour
    When from now on the other relay refuses
    And 125 minutes pass
    Then the other relay was tried at most 125 times
    And it is recorded how the other relay was asked

  @G02-EV-06.half-open @wait:200m @needs:reachback
  Scenario: a relay that is gone without a word is missed
    Given there is another relay
    And the other relay has the contributor's issue "before"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When from now on the other relay freezes
    And the other relay gets the contributor's issue "away"
    And 65 minutes pass
    And from now on the other relay serves
    Then the issue "away" comes to be served within an hour

  @G02-EV-07 @wait:66m @needs:reachback
  Scenario Outline: all that a relay that <form> has is got
    Given there is another relay
    And from now on the other relay <form>
    And the other relay has 60 of the contributor's issues
    And the other relay has 30 of the stranger's issues, all of one time
    When the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    Then all of these issues come to be served within an hour
    And the other relay was sent at most 3000 messages

    Examples:
      | id       | form                                           |
      | pages    | knows no negentropy, and pages by 40           |
      | declines | declines negentropy, and pages by 40           |
      | ignores  | ignores negentropy, and pages by 100           |
      | repeats  | repeats                                        |
      | omits    | omits, knows no negentropy, and pages by 40    |
      | limits   | answers 6 questions a minute                   |
      | notices  | answers 6 questions a minute, and tells in a notice |
      | cuts     | pages by 40                                    |

  @G02-EV-07.many @wait:66m @needs:reachback
  Scenario: more than a page of events is got, with and without negentropy
    Given there is another relay "old"
    And there is another relay "new"
    And from now on the other relay "old" knows no negentropy, and pages by 250
    And the other relay "old" has 700 of the contributor's issues
    And the other relay "new" has 700 of the stranger's issues
    When the owner's repository is served, listing the other relays "old" and "new", with:
      | refs/heads/main | first |
    Then all of these issues come to be served within an hour

  @G02-EV-07.beside @wait:76m @needs:reachback
  Scenario Outline: a relay that <form> keeps nobody from one that serves
    Given there is another relay "bad"
    And there is another relay "good"
    And from now on the other relay "bad" <form>
    And the other relay "bad" has 100 of the stranger's issues
    And the other relay "good" has the contributor's issue
    When the owner's repository is served, listing the other relays "bad" and "good", with:
      | refs/heads/main | first |
    And 10 minutes pass
    Then the issue comes to be served within an hour
    And the other relay "bad" was sent at most 3000 messages

    Examples:
      | id      | form                                                |
      | refuses | refuses                                             |
      | hangs   | hangs                                               |
      | freezes | freezes                                             |
      | denies  | denies                                              |
      | closes  | closes every subscription with "error: no"          |
      | blocked | closes every subscription with "restricted: no"     |
      | sticks  | sticks, knows no negentropy, and pages by 40        |
      | drops   | ends each connection at message 3                   |

  @G02-EV-07.healed @wait:96m @needs:reachback
  Scenario Outline: what a relay that <form> has is got once it answers
    Given there is another relay
    And the other relay has the contributor's issue
    And from now on the other relay <form>
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When 10 minutes pass
    And from now on the other relay serves
    Then the issue comes to be served within an hour

    Examples:
      | id     | form                                       |
      | hangs  | hangs                                      |
      | closes | closes every subscription with "error: no" |
      | drops  | ends each connection at message 3          |

  @G02-EV-03 @hostile @wait:132m @needs:reachback
  Scenario: an event with a signature that does not fit is not taken
    Given there is another relay "bad"
    And there is another relay "good"
    And from now on the other relay "bad" forges
    And the other relay "bad" has the contributor's issue "forged"
    And the other relay "good" has the contributor's issue "true"
    When the owner's repository is served, listing the other relays "bad" and "good", with:
      | refs/heads/main | first |
    Then the issue "true" comes to be served within an hour
    And the issue "forged" is not served

  @G02-EV-03.unasked @hostile @wait:132m @needs:reachback
  Scenario Outline: what nobody could send is not taken from a relay that <form>
    Given there is another relay "bad"
    And there is another relay "good"
    And the other relay "bad" has the stranger's note "unasked" that nobody asks for
    And from now on the other relay "bad" <form>
    And the other relay "bad" has the contributor's issue "asked"
    And the other relay "good" has the contributor's issue "true"
    When the owner's repository is served, listing the other relays "bad" and "good", with:
      | refs/heads/main | first |
    Then the issue "true" comes to be served within an hour
    And the other relay "bad" is connected to within an hour
    And the event "unasked" is not served

    Examples:
      | id     | form   |
      | strays | strays |
      | floods | floods |

  @G02-EV-03.strangers @hostile @wait:132m @needs:reachback
  Scenario: the state of somebody without authority is not taken from a relay
    Given there is another relay
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | second |
    When the other relay gets the stranger's state "foreign":
      | refs/heads/main | first |
    And the other relay gets the contributor's issue
    Then the issue comes to be served within an hour
    And the state "foreign" is not served
    And the repository has exactly:
      | refs/heads/main | second |
