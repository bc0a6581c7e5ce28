-- +goose Up

-- The authority that signs the cluster's certificates, for the lifetime of the database. It is not
-- an object: snapshots, which may be given to others, do not contain its key.
CREATE TABLE authority (
    one         boolean PRIMARY KEY DEFAULT true CONSTRAINT authority_is_one_row CHECK (one),
    certificate bytea NOT NULL, -- DER
    key         bytea NOT NULL  -- PKCS #8, DER
);

-- +goose Down
DROP TABLE authority;
