# Never built so far: mend it where it fails, and say so here.
# The studio in a container: docker build -t novikoff . && docker run --rm -p 127.0.0.1:8765:8765 novikoff
FROM python:3.11-slim
WORKDIR /app
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir -c requirements.lock '.[formula,io,plot,studio]' \
    && useradd --create-home novikoff
USER novikoff
EXPOSE 8765
CMD ["novikoff", "studio", "--host", "0.0.0.0", "--port", "8765", "--no-browser"]
