# Two images of Rowlock. BuildKit is needed, which Docker 23 and newer have.
#
#   docker build --tag rowlock .                                   the program alone: no shell, no root; for a PostgreSQL elsewhere
#   docker build --tag rowlock:standalone --target standalone .    with a PostgreSQL inside: a cluster in one container
#
# --platform linux/arm64 compiles for that platform on this one. VERSION, REVISION and SOURCE are for the version and the labels.
FROM --platform=$BUILDPLATFORM node:24-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY web ./
RUN npm run build

FROM --platform=$BUILDPLATFORM golang:1.26-alpine AS build
WORKDIR /src
COPY . .
COPY --from=web /src/web/dist/app web/dist/app
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=devel
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} \
    go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.release=${VERSION}" -o /out/rowlock ./cmd/rowlock
# The directories of volumes: a new volume takes owner and permissions from the image.
RUN mkdir -p /out/data /out/credentials && chmod 700 /out/data /out/credentials

# A cluster in one container. Data and credentials are in the volume that the image of PostgreSQL has.
FROM postgres:17 AS standalone
COPY --from=build /out/rowlock /usr/local/bin/rowlock
COPY LICENSE /usr/local/share/doc/rowlock/LICENSE
USER postgres
ENV ROWLOCK_LISTEN=0.0.0.0:6443 \
    ROWLOCK_CREDENTIALS_DIR=/var/lib/postgresql/data/credentials \
    ROWLOCK_DATA_DIR=/var/lib/postgresql/data/rowlock
EXPOSE 6443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=2s --timeout=6s --start-period=60s --retries=3 CMD ["rowlock", "health"]
ARG VERSION=devel
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Rowlock, standalone" \
      org.opencontainers.image.description="A Kubernetes control plane with emulated nodes, and its PostgreSQL" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENTRYPOINT ["rowlock"]
CMD ["serve"]

# The program alone. Without a target, this is what is built.
FROM scratch AS rowlock
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/data /var/lib/rowlock
COPY --from=build --chown=65532:65532 /out/credentials /credentials
COPY --from=build /out/rowlock /rowlock
COPY LICENSE /LICENSE
USER 65532:65532
ENV ROWLOCK_LISTEN=0.0.0.0:6443 \
    ROWLOCK_CREDENTIALS_DIR=/credentials \
    ROWLOCK_DATA_DIR=/var/lib/rowlock
VOLUME ["/credentials"]
EXPOSE 6443
HEALTHCHECK --interval=2s --timeout=6s --start-period=60s --retries=3 CMD ["/rowlock", "health"]
ARG VERSION=devel
ARG REVISION
ARG SOURCE
LABEL org.opencontainers.image.title="Rowlock" \
      org.opencontainers.image.description="A Kubernetes control plane with emulated nodes, for a PostgreSQL elsewhere" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENTRYPOINT ["/rowlock"]
CMD ["serve"]
