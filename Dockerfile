# Rowlock in an image of its own: one static program, no shell, no root. PostgreSQL is elsewhere (--database-url).
FROM node:24 AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --ignore-scripts
COPY web ./
RUN npm run build

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/web/dist/app web/dist/app
ARG VERSION=devel
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -buildid= -X main.release=${VERSION}" -o /out/rowlock ./cmd/rowlock
# The folders of volumes: a new volume takes owner and permissions from the image.
RUN mkdir -p /out/data /out/credentials && chmod 700 /out/data /out/credentials

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/data /var/lib/rowlock
COPY --from=build --chown=65532:65532 /out/credentials /credentials
COPY --from=build /out/rowlock /rowlock
COPY LICENSE /LICENSE
USER 65532:65532
ENV ROWLOCK_LISTEN=0.0.0.0:6443 \
    ROWLOCK_CREDENTIALS_DIR=/credentials \
    ROWLOCK_DATA_DIR=/var/lib/rowlock
VOLUME ["/credentials", "/var/lib/rowlock"]
EXPOSE 6443
HEALTHCHECK --interval=5s --timeout=6s --start-period=60s --retries=3 CMD ["/rowlock", "health"]
ENTRYPOINT ["/rowlock"]
CMD ["serve"]
