Feature: What participants have elsewhere (GRASP-03)
  Who owns a repository, maintains it or has written about it is a participant. What participants say about themselves is kept,
  and what they write to relays of their own is got from there.

  @G03-01 @read-only
  Scenario: sync plus is listed with the sync that it rests on
    When a visitor asks for the relay information document
    Then GRASP-02 is listed if GRASP-03 is

  @G03-02 @wait:132m @needs:reachback
  Scenario Outline: an answer that only a relay of a participant has is got, <how>
    Given there is another relay
    And the owner's repository is served, listing no other relay, with:
      | refs/heads/main | first |
    And the contributor's issue on the owner's repository was accepted
    And the relay list of the contributor names the other relay<mark>
    When the other relay has the contributor's comment "answer" naming the issue by E
    Then the event "answer" comes to be served within an hour

    Examples:
      | id       | how                              | mark        |
      | unmarked | which the list names             |             |
      | marked   | which the list names for writing | to write to |

  @G03-03 @wait:132m @needs:reachback
  Scenario Outline: the <what> of a participant is got from where it writes, and nobody else's is
    Given there is another relay
    And the owner's repository is served, listing no other relay, with:
      | refs/heads/main | first |
    And the relay list of the owner names the other relay
    When the other relay has the owner's <what> "own"
    And the other relay has the stranger's <what> "foreign"
    Then the event "own" comes to be served within an hour
    And the event "foreign" is not served

    Examples:
      | id      | what       |
      | profile | profile    |
      | grasps  | GRASP list |

  @G03-03.sent
  Scenario: the profile of somebody who is no participant is not served
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the stranger sends its own profile "foreign"
    Then the event "foreign" is not served
    But the owner's own profile is accepted

  @G03-06
  Scenario Outline: a participant may send its own <what>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner sends its own <what> "own"
    Then the event is accepted
    And the event "own" is served

    Examples:
      | id      | what       |
      | profile | profile    |
      | relays  | relay list |
      | grasps  | GRASP list |
