"""What gradient descent conserves in linear nets and in ReLU nets."""
