Feature: From two connections at once
  What two clients send at the same moment is worked on side by side: what stays is what one after the other would leave.

  @N01-EV-03.connections
  Scenario: copies of an event from two connections at once are both taken, and it is served once
    When the contributor sends 8 times two copies of an issue from two connections at once
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |

  @N01-EV-03.connections-announcement
  Scenario: copies of an announcement from two connections at once are both taken
    When the owner sends 8 times two copies of an announcement from two connections at once
    Then the event is accepted

  @N01-EV-03.connections-held
  Scenario: copies of a pull request from two connections at once are both answered
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then each of 8 pull requests of the contributor that come from two connections at once is answered on both

  @N01-REP-01.connections
  Scenario: of two versions from two connections at once the newer one is kept
    When the contributor sends 8 times two versions of an article from two connections at once
    Then queries by these filters hold what matches and nothing else:
      | filter              | events      |
      | authors contributor | all of them |
    And none of the others is served

  @G01-ANN-17.connections
  Scenario: of two announcements from two connections at once the newer one is kept
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then each of 6 times that the owner announces the repository from two connections at once the newer one alone is served

  @G01-LAT-01.connections
  Scenario: of two states from two connections at once the newer one counts
    Given the owner's repository is served with:
      | refs/heads/main | first |
    Then each of 3 times that the owner publishes two states from two connections at once the newer one counts

  @N09-05.connections
  Scenario: an event and the request to delete it from two connections at once
    When the contributor sends 8 times an issue and the request to delete it from two connections at once
    Then none of the others is served

  @N01-REQ-01.connections
  Scenario: an event and a query for it from two connections at once
    Given relay and git answer
    Then each of 12 issues of the contributor comes to who asks for all such at that moment from another connection
