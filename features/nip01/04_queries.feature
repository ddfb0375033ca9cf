Feature: Queries
  Subscriptions get the stored events that match, then EOSE, then live ones.

  @N01-REQ-01
  Scenario Outline: a query by <filter> holds what matches and nothing else
    Given the contributor posted the issue "red" dated 100
    And the contributor posted the issue "green" dated 200
    And the contributor posted the issue "blue" dated 300
    And the stranger posted a comment "reply" on the issue "red" dated 400
    When a client asks by <filter>
    Then the query holds exactly <events>

    Examples:
      | id         | filter                            | events             |
      | ids        | two ids                           | "red", "green"     |
      | authors    | author                            | "red", "green", "blue" |
      | kinds      | kind                              | "reply"            |
      | lower-tag  | a lower-case tag                  | "green"            |
      | upper-tag  | an upper-case tag                 | "reply"            |
      | since      | a since at the time of green      | "green", "blue"    |
      | until      | an until at the time of green     | "red", "green"     |
      | window     | since and until both at green     | "green"            |
      | all-of     | author and another author's kind  | nothing            |
      | any-of     | either of two filters             | "red", "reply"     |
      | id-prefix  | the first half of an id           | nothing            |
      | tag-prefix | the first half of a tag value     | nothing            |

  @N01-REQ-01.live
  Scenario: an open subscription gets new events that match and no others
    Given a subscription for the contributor's issues is open
    When the stranger posted the issue "other"
    And the contributor posts the issue "mine"
    Then the subscription gets exactly "mine"

  @N01-REQ-02
  Scenario: a limit takes the newest events
    Given the contributor posted the issue "old" dated 100
    And the contributor posted the issue "new" dated 300
    And the contributor posted the issue "middle" dated 200
    When a client asks for the contributor's issues with limit 2
    Then the query holds, in this order, "new", "middle"

  @N01-REQ-02.ties
  Scenario: among events of one time a limit takes the lowest ids
    Given the contributor posted 5 issues of one time
    When a client asks for the contributor's issues with limit 3
    Then the query holds the 3 of the lowest ids in their order

  @N01-REQ-02.zero
  Scenario: a limit of 0 asks for live events only
    Given the contributor posted the issue "stored"
    When a subscription for the contributor's issues is opened with limit 0
    And the contributor posts the issue "live"
    Then the subscription began with nothing
    And the subscription gets exactly "live"

  @N01-REQ-03
  Scenario: a subscription id that is used again replaces the subscription
    Given a subscription for the contributor's issues is open
    When the subscription is replaced by one for the stranger's issues
    And the contributor posted the issue "before"
    And the stranger posts the issue "after"
    Then the subscription gets exactly "after"

  @N01-REQ-03.close
  Scenario: CLOSE ends a subscription
    Given a subscription for the contributor's issues is open
    When the subscription is closed
    And the contributor posts the issue "late"
    Then the closed subscription gets nothing

  @N01-REQ-03.long
  Scenario: a subscription id of 64 characters is usable
    When a subscription with an id of 64 characters is opened
    And the contributor posts the issue "seen"
    Then the subscription gets exactly "seen"

  @N01-REP-01
  Scenario Outline: of two versions the newer one is kept when they arrive <order>
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner's announcement <one> and then <other> arrive
    Then the announcement "newer" is served
    And the announcement "older" is not served any more

    Examples:
      | id       | order          | one               | other             |
      | upward   | in order       | "older" dated 200 | "newer" dated 300 |
      | downward | in wrong order | "newer" dated 300 | "older" dated 200 |

  @N01-REP-01.ties
  Scenario Outline: of two versions of one time the one of the lowest id is kept, the <order> one first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When two versions of the owner's announcement of one time arrive, the <order> id first
    Then only the version with the lower id is served

    Examples:
      | id     | order  |
      | lower  | lower  |
      | higher | higher |

  @N01-REP-02
  Scenario Outline: of two versions of a replaceable event the newer one is kept when they arrive <order>
    When the contributor publishes an event of kind 10317 <one> with content of 0 bytes
    Then the event is accepted, or such events are not taken
    When the contributor publishes an event of kind 10317 <other> with content of 0 bytes
    Then the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id       | order          | one               | other             |
      | upward   | in order       | "older" dated 200 | "newer" dated 300 |
      | downward | in wrong order | "newer" dated 300 | "older" dated 200 |
