Feature: Contributors' pull requests are offered exactly if they are listed (GRASP-06)
  What is below /prs/ is there for everybody where the information document lists GRASP-06, and for nobody where it does
  not. This holds for every server.

  @G06-ADV-01.unknown @read-only
  Scenario Outline: <endpoint> below /prs/ of a repository that nobody announced is there exactly if GRASP-06 is listed
    When below /prs/ a visitor asks for <endpoint> of an unknown repository
    Then <endpoint> is there exactly if GRASP-06 is listed

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  @G06-ADV-01.served
  Scenario Outline: <endpoint> below /prs/ of a served repository is there exactly if GRASP-06 is listed
    When below /prs/ a visitor asks for <endpoint> of the lighthouse
    Then <endpoint> is there exactly if GRASP-06 is listed
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |
