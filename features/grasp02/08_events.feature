Feature: Events from other relays (GRASP-02)
  A server gets the events on its repositories from the other relays that their announcements list. When it asks is
  recorded; that what is there is served within an hour is judged.

  @G02-EV-01 @wait:66m @needs:reachback
  Scenario: what another relay had before the announcement came is got
    Given there is another relay
    And the other relay has the contributor's issue "first"
    And the other relay has the stranger's issue "second"
    When the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    Then the issue "first" comes to be served within an hour
    And the issue "second" comes to be served within an hour
    And it is recorded how the other relay was asked

  @G02-EV-01.state @wait:66m @needs:reachback
  Scenario: a newer state that another relay has is got, and followed
    Given there is another relay
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | second |
    When the other relay gets the owner's state:
      | refs/heads/main | first |
    Then the state comes to be served within an hour
    And the repository has exactly:
      | refs/heads/main | first |

  @G02-EV-01 @wait:66m @needs:reachback
  Scenario Outline: a <form> of another relay that names only the repository, by <tag>, is got
    Given there is another relay
    And the other relay has the stranger's <form> "answer" naming the owner's repository by <tag>
    When the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    Then the event "answer" comes to be served within an hour

    Examples:
      | id | form    | tag |
      | a  | comment | a   |
      | A  | comment | A   |
      | patch  | patch  | a |
      | status | status | a |
      | label  | label  | a |

  @G02-EV-01.quote @wait:71m @needs:reachback
  Scenario: whether what only quotes a repository, by q, is got beside what speaks of it is recorded
    Given there is another relay
    And the other relay has the contributor's issue
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When the other relay gets the stranger's note naming the owner's repository by q
    And 5 minutes pass
    Then the issue comes to be served within an hour
    And it is recorded whether the event is served

  @G02-EV-01.maintainer @wait:66m @needs:reachback
  Scenario: a newer state of a maintainer that another relay has is got, and followed
    Given there is another relay
    And the owner's repository is served, naming the maintainer, listing the other relay, with:
      | refs/heads/main | second |
    And the maintainer announced the repository naming the owner
    When the other relay gets the maintainer's state:
      | refs/heads/main | first |
    Then the state comes to be served within an hour
    And the repository has exactly:
      | refs/heads/main | first |

  @G02-EV-01.repositories @wait:66m @needs:reachback
  Scenario: what several relays have of one repository is got from each
    Given there is another relay "one"
    And there is another relay "two"
    And the other relay "one" has the contributor's issue "one"
    And the other relay "two" has the contributor's issue "two"
    When the owner's repository is served, listing the other relays "one" and "two", with:
      | refs/heads/main | first |
    Then the issue "one" comes to be served within an hour
    And the issue "two" comes to be served within an hour

  @G02-EV-02 @wait:132m @needs:reachback
  Scenario: what another relay gets later is got
    Given there is another relay
    And the other relay has the contributor's issue "before"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When the other relay gets the contributor's issue "later"
    Then the issue "later" comes to be served within an hour
    And it is recorded how the other relay was asked

  @G02-EV-02.repositories @wait:193m @needs:reachback
  Scenario: what several relays get later is got from each
    Given there is another relay "one"
    And there is another relay "two"
    And the other relay "one" has the contributor's issue "before"
    And the other relay "two" has the contributor's issue "beside"
    And the owner's repository is served, listing the other relays "one" and "two", with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    And the issue "beside" came to be served within an hour
    When the other relay "one" gets the contributor's issue "one"
    And the other relay "two" gets the contributor's issue "two"
    Then the issue "one" comes to be served within an hour
    And the issue "two" comes to be served within an hour

  @G02-EV-04 @wait:132m @needs:reachback
  Scenario Outline: a reply by <tag> that names only an issue from elsewhere is got
    Given there is another relay
    And the other relay has the contributor's issue
    And the other relay has the stranger's <form> "reply" naming the issue by <tag>
    When the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    Then the issue comes to be served within an hour
    And the event "reply" comes to be served within an hour

    Examples:
      | id | form    | tag |
      | e  | comment | e   |
      | E  | comment | E   |
      | q  | note    | q   |

  @G02-EV-04.later @wait:132m @needs:reachback
  Scenario: a reply to an issue from elsewhere that comes later is got
    Given there is another relay
    And the other relay has the contributor's issue
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue came to be served within an hour
    When the other relay gets the stranger's comment "reply" naming the issue by E
    Then the event "reply" comes to be served within an hour

  @G02-EV-04.here @wait:66m @needs:reachback
  Scenario: a reply to an issue that was published here is got from elsewhere
    Given there is another relay
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the contributor's issue on the owner's repository was accepted
    When the other relay gets the stranger's comment "reply" naming the issue by E
    Then the event "reply" comes to be served within an hour

  @G02-EV-05 @wait:66m @needs:reachback
  Scenario: a relay that a newer announcement adds is followed
    Given there is another relay
    And the other relay has the contributor's issue
    And the owner's repository is served, listing no other relay, with:
      | refs/heads/main | first |
    When the owner announced the repository anew, listing the other relay
    Then the issue comes to be served within an hour

  @G02-EV-05.removed @wait:198m @needs:reachback
  Scenario: a relay that a newer announcement leaves out is not followed any more
    Given there is another relay "old"
    And there is another relay "new"
    And the other relay "old" has the contributor's issue "before"
    And the owner's repository is served, listing the other relay "old", with:
      | refs/heads/main | first |
    And the issue "before" came to be served within an hour
    When the owner announced the repository anew, listing the other relay "new"
    And 61 minutes pass
    And the other relay "old" gets the contributor's issue "old"
    And the other relay "new" gets the contributor's issue "new"
    Then the issue "new" comes to be served within an hour
    And the issue "old" is not served any more

  @G02-EV-08 @wait:132m @needs:reachback
  Scenario: a request to delete that another relay gets takes effect
    Given there is another relay
    And the other relay has the contributor's issue "kept"
    And the other relay has the contributor's issue "doomed"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "kept" came to be served within an hour
    And the issue "doomed" came to be served within an hour
    When the other relay gets the contributor's request to delete the issue "doomed"
    Then the issue "doomed" is gone within an hour
    And the issue "kept" is still served

  @G02-EV-08.others @wait:198m @needs:reachback
  Scenario: a request to delete what somebody else wrote comes to nothing
    Given there is another relay
    And the other relay has the contributor's issue "kept"
    And the other relay has the contributor's issue "doomed"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "kept" came to be served within an hour
    And the issue "doomed" came to be served within an hour
    When the other relay gets the stranger's request to delete the issue "kept"
    And the other relay gets the contributor's request to delete the issue "doomed"
    Then the issue "doomed" is gone within an hour
    And the issue "kept" is still served

  @G02-EV-08.address @wait:132m @needs:reachback
  Scenario: a deletion request by address that another relay gets takes effect
    Given there is another relay
    And the other relay has the contributor's issue "kept"
    And the other relay has the stranger's article "doomed" on the owner's repository
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "kept" came to be served within an hour
    And the event "doomed" came to be served within an hour
    When the other relay gets the stranger's request to delete the event "doomed" by address
    Then the event "doomed" is gone within an hour
    And the issue "kept" is still served

  @G02-EV-08.vanish @wait:132m @needs:reachback @needs:nip=62
  Scenario: a request to vanish that another relay gets takes effect
    Given there is another relay
    And the other relay has the contributor's issue "kept"
    And the other relay has the stranger's issue "doomed"
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    And the issue "kept" came to be served within an hour
    And the issue "doomed" came to be served within an hour
    When the other relay gets the stranger's request to vanish
    Then the issue "doomed" is gone within an hour
    And the issue "kept" is still served

  @G02-EV-09 @wait:66m @needs:reachback
  Scenario: the announcement of a listed maintainer is taken from another relay
    Given there is another relay
    And a git host has:
      | refs/heads/main | first |
    And the other relay has the maintainer's announcement "maintainer", which is at the git host
    And the other relay has the maintainer's state "maintainer":
      | refs/heads/main | first |
    When the owner's repository is served, naming the maintainer, listing the other relay, with:
      | refs/heads/main | first |
    Then the announcement "maintainer" comes to be served within an hour

  @G02-EV-10 @wait:66m @needs:reachback
  Scenario: whether an announcement is found at another relay is recorded
    Given there is another relay
    And a git host has:
      | refs/heads/main | first |
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When the other relay gets the stranger's announcement, which is at the git host
    And the other relay gets the stranger's state:
      | refs/heads/main | first |
    And 61 minutes pass
    Then it is recorded whether the announcement is served

  @G02-EV-09.vouched @wait:66m @needs:reachback
  Scenario: a maintainer's state is got from a relay that the maintainer's announcement alone lists, which does not list this service
    Given there is another relay
    And the owner's repository is served, naming the maintainer, listing no other relay, with:
      | refs/heads/main | second |
    And the maintainer announced the repository with:
      | clone       | https://git.example.invalid/{npub}/{identifier}.git |
      | relays      | {other relay}                                       |
      | maintainers | {owner}                                             |
    When the other relay gets the maintainer's state:
      | refs/heads/main | first |
    Then the state comes to be served within an hour
    And the repository has exactly:
      | refs/heads/main | first |

  @G02-EV-08.maintainer @wait:132m @needs:reachback
  Scenario: a maintainer's request to delete the own state that a relay of the owner gets takes effect
    Given there is another relay
    And the other relay has the contributor's issue "kept"
    And the owner's repository is served, naming the maintainer, listing the other relay, with:
      | refs/heads/main | first |
    And the maintainer announced the repository naming the owner
    And the maintainer published the state "doomed":
      | refs/heads/main | second |
    And a client brought what was missing of:
      | refs/heads/main | second |
    And the state "doomed" is served
    And the issue "kept" came to be served within an hour
    When the other relay gets the maintainer's request to delete the state "doomed"
    Then the state "doomed" is gone within an hour
    And the issue "kept" is still served
