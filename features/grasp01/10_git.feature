Feature: Git over HTTP
  Every accepted repository is a smart HTTP git repository that anybody can read.

  @G01-GIT-01
  Scenario: a repository answers smart HTTP below npub and identifier
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When a visitor asks for the fetch advertisement of the owner's repository
    Then the answer is a smart HTTP advertisement

  @G01-GIT-02
  Scenario Outline: listing, cloning and fetching work in protocol version <version>
    Given the lighthouse is served
    Then the lighthouse can be listed in protocol version <version>
    And the lighthouse can be cloned in protocol version <version>
    And a clone of its first commit can be brought up to date in protocol version <version>

    Examples:
      | id | version |
      | v0 | 0       |
      | v1 | 1       |
      | v2 | 2       |

  @G01-GIT-04
  Scenario: wants by id are offered
    Given the lighthouse is served
    Then the advertisement offers allow-reachable-sha1-in-want
    And the advertisement offers allow-tip-sha1-in-want

  @G01-GIT-06
  Scenario Outline: <object> can be asked for by id in protocol version <version>
    Given the lighthouse is served
    Then <object> of the lighthouse can be fetched by id in protocol version <version>

    Examples:
      | id          | object             | version |
      | ancestor-v0 | an ancestor commit | 0       |
      | ancestor-v2 | an ancestor commit | 2       |
      | tip-v0      | a tip              | 0       |
      | tree-v0     | a tree             | 0       |
      | blob-v2     | a file             | 2       |

  @G01-GIT-10 @read-only
  Scenario Outline: an unknown repository is not found at <endpoint>
    When a visitor asks for <endpoint> of an unknown repository
    Then the answer has status 404

    Examples:
      | id           | endpoint                |
      | fetch-advert | the fetch advertisement |
      | push-advert  | the push advertisement  |
      | fetch        | the fetch endpoint      |
      | push         | the push endpoint       |

  @G01-GIT-11
  Scenario Outline: a malformed request is the client's error: <fault>
    Given the lighthouse is served
    When a visitor asks for the malformed path <path>
    Then the answer is a client error
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id           | fault                   | path                                                        |
      | checksum     | a bad checksum          | /{bad npub}/{d}.git/info/refs?service=git-upload-pack       |
      | hex          | a hexadecimal key       | /{pubkey}/{d}.git/info/refs?service=git-upload-pack         |
      | nsec         | another kind of key     | /{nsec}/{d}.git/info/refs?service=git-upload-pack           |
      | suffix       | no suffix               | /{npub}/{d}/info/refs?service=git-upload-pack               |
      | double-slash | a double slash          | /{npub}//{d}.git/info/refs?service=git-upload-pack          |
      | extra        | an element too many     | /{npub}/x/{d}.git/info/refs?service=git-upload-pack         |
      | service      | no service              | /{npub}/{d}.git/info/refs                                   |
      | unknown      | an unknown service      | /{npub}/{d}.git/info/refs?service=git-bake-pack             |

  @G01-GIT-16 @hostile
  Scenario Outline: no path leads out of its repository: <way>
    Given the lighthouse is served
    When a visitor asks for the malformed path <path>
    Then the answer shows no repository
    But the fetch advertisement of the lighthouse is answered

    Examples:
      | id          | way                   | path                                                                              |
      | dots        | encoded dots          | /{npub}/%2e%2e/{npub}/{d}.git/info/refs?service=git-upload-pack                   |
      | dots-slash  | an encoded slash      | /{other npub}/..%2f{npub}%2f{d}.git/info/refs?service=git-upload-pack             |
      | all-encoded | everything encoded    | /{other npub}/%2e%2e%2f{npub}%2f{d}.git/info/refs?service=git-upload-pack         |
      | plain       | plain dots            | /{other npub}/../{npub}/{d}.git/info/refs?service=git-upload-pack                 |
      | backslash   | a backslash           | /{other npub}/..%5c{npub}%5c{d}.git/info/refs?service=git-upload-pack             |
      | nul         | a zero byte           | /{npub}/{d}.git%00.git/info/refs?service=git-upload-pack                          |
      | passwd      | a file of the machine | /{npub}/..%2f..%2f..%2f..%2fetc%2fpasswd                                          |
