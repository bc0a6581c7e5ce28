-- +goose Up

-- The authority by which the cluster signs certificates, as long as the database lives. It is no object: a snapshot, which others
-- may be given, does not have its key.
CREATE TABLE authority (
    one         boolean PRIMARY KEY DEFAULT true CONSTRAINT authority_is_one_row CHECK (one),
    certificate bytea NOT NULL, -- DER
    key         bytea NOT NULL  -- PKCS #8, DER
);

-- +goose Down
DROP TABLE authority;
